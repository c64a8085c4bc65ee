// Points at a word: the words that it stands for are framed.
"use strict";
for (const kind of ["pointerover", "pointerout"]) {
  document.addEventListener(kind, (event) => {
    const word = event.target.closest ? event.target.closest("[data-m]") : null;
    if (!word) return;
    const same = document.querySelectorAll(`[data-m="${CSS.escape(word.dataset.m)}"]`);
    for (const other of same) other.classList.toggle("together", kind === "pointerover");
  });
}
