// Where texts differ, as elements: what stands in an item is text, never markup.
"use strict";

sinobench.element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") made.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

{
  const el = sinobench.element;
  const MEANING = {
    error: "to be corrected",
    gold: "correction",
    good: "corrected",
    miss: "left as it was",
    bad: "wrong",
    lost: "taken out",
    target: "asked for",
  };

  // [text, class or null] pieces as an element each, neighbours of a class together.
  function pieces(parts) {
    const line = el("span", { class: "line", lang: "zh" });
    for (let i = 0; i < parts.length;) {
      let [text, kind] = parts[i];
      for (i += 1; i < parts.length && parts[i][1] === kind; i += 1) text += parts[i][0];
      line.append(kind ? el("mark", { class: kind, title: MEANING[kind] }, text) : text);
    }
    return line;
  }

  // [a's place or null, b's place or null] pairs in order, along a longest common subsequence.
  function aligned(a, b) {
    const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i -= 1) {
      for (let j = b.length - 1; j >= 0; j -= 1) {
        rows[i][j] = a[i] === b[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
      }
    }
    const pairs = [];
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) pairs.push([i++, j++]);
      else if (j < b.length && (i === a.length || rows[i][j + 1] >= rows[i + 1][j])) pairs.push([null, j++]);
      else pairs.push([i++, null]);
    }
    return pairs;
  }

  // b with what it has beside a, and without it what it lacks.
  function differing(a, b, added) {
    const left = a.length === b.length ? a.map((_, i) => [i, i]) : aligned(a.slice(0, 2000), b.slice(0, 2000));
    return left.map(([i, j]) => {
      if (j === null) return [a[i], "lost"];
      return [b[j], i !== null && a[i] === b[j] ? null : added];
    });
  }

  sinobench.corrections = {
    input: (text, gold) => {
      const [a, b] = [[...text], [...(gold ?? text)]];
      if (a.length !== b.length) return pieces(a.map((character) => [character, null]));
      return pieces(a.map((character, i) => [character, character === b[i] ? null : "error"]));
    },
    gold: (text, gold) => pieces(differing([...text], [...gold], "gold")),
    answer: (text, gold, answer) => {
      const [source, wanted, given] = [[...text], [...gold], [...answer]];
      if (source.length !== wanted.length || source.length !== given.length) {
        return pieces(differing(source, given, "bad"));
      }
      return pieces(given.map((character, i) => {
        if (source[i] === wanted[i]) return [character, character === source[i] ? null : "bad"];
        if (character === wanted[i]) return [character, "good"];
        return [character, character === source[i] ? "miss" : "bad"];
      }));
    },
  };

  sinobench.sentence = (text, position) => pieces([...text].map((c, i) => [c, i === position ? "target" : null]));

  const SYLLABLE = /^(ng(?=[aeiouy])|gw|kw|[bpmfdtnlgkhwzcsj](?=.*[aeiouy]|ng|m))?(aa|a|eo|e|i|oe|o|yu|u)?(ng|[ptkmniu])?([1-6])$/;
  const COMPONENTS = ["onset", "nucleus", "coda", "tone"];

  // A syllable with the components marked that the kinds of error name.
  sinobench.syllable = (syllable, kinds) => {
    const match = SYLLABLE.exec(syllable);
    const wrong = new Set(kinds.map((kind) => kind.split(": ")[0]));
    const line = el("span", { class: "line syllable" });
    if (!match) {
      line.append(kinds.length ? el("mark", { class: "bad", title: MEANING.bad }, syllable) : syllable);
      return line;
    }
    match.slice(1).forEach((part, i) => {
      if (!part && !wrong.has(COMPONENTS[i])) return;
      const title = `${COMPONENTS[i]}: ${MEANING.bad}`;
      line.append(wrong.has(COMPONENTS[i]) ? el("mark", { class: "bad", title }, part || "∅") : part);
    });
    return line;
  };
}
