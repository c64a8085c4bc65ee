/* The least that any metric has to do: read a file, split it into words at blanks, put them into lower case (ASCII) and
 * hash them. Prints the sum of the hashes, so that nothing can be left out. Usage: floor FILE */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count != 2) {
        fputs("usage: floor FILE\n", stderr);
        return 2;
    }
    int file = open(arguments[1], O_RDONLY);
    if (file < 0) {
        perror(arguments[1]);
        return 1;
    }
    enum { CAPACITY = 1 << 16 };
    unsigned char *bytes = malloc(CAPACITY);
    if (bytes == NULL) {
        perror("malloc");
        return 1;
    }
    const uint64_t offset = 0xcbf29ce484222325u, prime = 0x100000001b3u; /* FNV-1a */
    uint64_t hash = offset, sum = 0, words = 0;
    ssize_t length;
    while ((length = read(file, bytes, CAPACITY)) > 0) {
        for (ssize_t at = 0; at < length; at++) {
            unsigned char byte = bytes[at];
            if (byte == ' ' || byte == '\n') {
                sum += hash;
                words++;
                hash = offset;
                continue;
            }
            byte += (unsigned)(byte - 'A') < 26 ? 'a' - 'A' : 0;
            hash = (hash ^ byte) * prime;
        }
    }
    if (length < 0) {
        perror(arguments[1]);
        return 1;
    }
    printf("%llu words, %016llx\n", (unsigned long long)words, (unsigned long long)sum);
    return 0;
}
