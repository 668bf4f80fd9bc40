// Items and recordings: scripts beside the page that are loaded when they are needed, and what is chosen of them.
"use strict";

const sinobench = {};

{
  const loaded = new Map();
  const loading = new Map();

  sinobench.index = (corpora) => loaded.set("index", corpora);
  sinobench.kinds = (key, kinds) => loaded.set(`items/${key}/kinds`, kinds);
  sinobench.page = (key, page, columns, answers) => loaded.set(`items/${key}/${page}`, { columns, answers });
  sinobench.recording = (corpus, number, shown) => loaded.set(`recordings/${corpus}/${number}`, shown);

  // What the script at this path hands over. A page from disk may run scripts beside it, and fetch nothing.
  sinobench.load = (path) => {
    if (loaded.has(path)) return Promise.resolve(loaded.get(path));
    if (!loading.has(path)) {
      loading.set(path, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = `browser/${path}.js`;
        script.onload = () => resolve(loaded.get(path));
        script.onerror = () => {
          loading.delete(path);
          reject(new Error(`${script.getAttribute("src")} is missing beside this page`));
        };
        document.head.append(script);
      }).finally(() => document.head.querySelector(`script[src="browser/${path}.js"]`)?.remove()));
    }
    return loading.get(path);
  };
}

// Numbers of 16 or 32 bits, one an item.
function decoded(text, bits) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return bits === 16 ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
}

const NO_OUTCOME = 0;
const RIGHT = 1;

sinobench.Corpus = class {
  constructor(entry) {
    Object.assign(this, entry);
    this.chosen = 0;
  }

  async open() {
    if (this.codes) return this;
    const { sets, codes, ms } = await sinobench.load(`items/${this.key}/kinds`);
    this.sets = sets;
    this.codes = codes.map((text) => decoded(text, this.bits));
    this.ms = ms === undefined ? null : decoded(ms, 32);
    return this;
  }

  // [kind, number of items] of a model, each kind before those that are a part of it.
  kindsOf(model) {
    const bySet = new Uint32Array(this.sets.length);
    for (const code of this.codes[model]) bySet[code] += 1;
    const found = new Map();
    this.sets.forEach((kinds, set) => {
      const names = new Set(kinds.flatMap((kind) => (kind.includes(": ") ? [kind.split(": ")[0], kind] : [kind])));
      for (const name of names) found.set(name, (found.get(name) ?? 0) + bySet[set]);
    });
    const whole = (kind) => kind.split(": ")[0];
    return [...found].filter(([, n]) => n).sort(([a, n], [b, m]) => (
      found.get(whole(b)) - found.get(whole(a)) || whole(a).localeCompare(whole(b)) ||
      (b === whole(b)) - (a === whole(a)) || m - n || a.localeCompare(b)
    ));
  }

  // Numbers of the items that are wanted; null where another choice was made meanwhile.
  async choose(wanted, progress) {
    const found = await this.unordered(wanted, progress);
    if (found && this.ms && wanted.order === "longest") found.sort((a, b) => this.ms[b] - this.ms[a] || a - b);
    return found;
  }

  async unordered(wanted, progress) {
    const turn = ++this.chosen;
    const found = this.byKind(wanted);
    if (!wanted.text) return found;
    for (let page = 0; page * this.page < this.n; page += 1) {
      await sinobench.load(`items/${this.key}/${page}`);
      if (turn !== this.chosen) return null;
      progress(Math.min((page + 1) * this.page, this.n));
    }
    const pattern = new RegExp(wanted.text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "iu");
    const models = [wanted.model, wanted.other].filter((model) => model !== null);
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(this.n / this.page) }, (_, page) => sinobench.load(`items/${this.key}/${page}`)),
    );
    return found.filter((number) => this.matches(pages, number, models, pattern));
  }

  byKind({ model, other, show, kind, recording }) {
    const own = this.codes[model];
    const its = other === null ? null : this.codes[other];
    const isKind = this.sets.map((kinds) => !kind || kinds.some((one) => one === kind || one.startsWith(`${kind}: `)));
    const wrong = (code) => code > RIGHT;
    const wanted = {
      wrong: (a) => wrong(a) && isKind[a],
      right: (a) => a === RIGHT,
      all: (a) => a !== NO_OUTCOME && isKind[a],
      only: (a, b) => wrong(a) && b === RIGHT && isKind[a],
      other: (a, b) => a === RIGHT && wrong(b) && isKind[b],
      both: (a, b) => wrong(a) && wrong(b) && isKind[a],
      differ: (a, b) => (a === RIGHT && wrong(b) && isKind[b]) || (wrong(a) && b === RIGHT && isKind[a]),
    }[show];
    const [, , first, n] = recording === null ? [0, 0, 0, this.n] : this.recordings[recording];
    const found = [];
    for (let i = first; i < first + n; i += 1) if (wanted(own[i], its ? its[i] : NO_OUTCOME)) found.push(i);
    return found;
  }

  matches(pages, number, models, pattern) {
    const { columns, answers } = pages[Math.floor(number / this.page)];
    const i = number % this.page;
    for (const name of ["id", "text", "labels", "golds", "pos", "language"]) {
      const value = columns[name]?.[i];
      if (value && pattern.test(Array.isArray(value) ? value.join(" ") : value)) return true;
    }
    if (this.recordings && pattern.test(this.recordings[this.recordingOf(number)][0])) return true;
    return models.some((model) => typeof answers[model][i] === "string" && pattern.test(answers[model][i]));
  }

  // The number of the recording that an item is of: items follow each other by recording.
  recordingOf(number) {
    let [low, high] = [0, this.recordings.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.recordings[middle][2] <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async item(number) {
    const { columns, answers } = await sinobench.load(`items/${this.key}/${Math.floor(number / this.page)}`);
    const i = number % this.page;
    const values = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[i]]));
    const given = this.models.map((model, m) => ({
      model,
      answer: answers[m][i] ?? null,
      kinds: this.sets[this.codes[m][number]],
      right: this.codes[m][number] === RIGHT,
      known: this.codes[m][number] !== NO_OUTCOME,
    }));
    return { ...values, number, given };
  }
};
