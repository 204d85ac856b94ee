/** Rules for `metadata.name`. A rule gets a whole name, or the prefix in generateName. */
import { dns1035LabelProblems, dns1123LabelProblems, dns1123SubdomainProblems } from './dns.ts';
import { noProblems } from './messages.ts';

export type NameRule = (name: string, isPrefix: boolean) => readonly string[];

export const nameIsDnsSubdomain: NameRule = (name, isPrefix) =>
  dns1123SubdomainProblems(isPrefix ? withoutTrailingDash(name) : name);

export const nameIsDnsLabel: NameRule = (name, isPrefix) =>
  dns1123LabelProblems(isPrefix ? withoutTrailingDash(name) : name);

export const nameIsDns1035Label: NameRule = (name, isPrefix) =>
  dns1035LabelProblems(isPrefix ? withoutTrailingDash(name) : name);

/** Anything valid in a URL path: the names of roles and bindings. */
export const nameIsPathSegment: NameRule = (name, isPrefix) =>
  isPrefix ? pathSegmentPrefixProblems(name) : pathSegmentProblems(name);

export function pathSegmentProblems(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return pathSegmentPrefixProblems(name);
}

function pathSegmentPrefixProblems(name: string): readonly string[] {
  const problems = ['/', '%'].filter((text) => name.includes(text)).map((text) => `may not contain '${text}'`);
  return problems.length === 0 ? noProblems : problems;
}

/** A prefix may end with a dash, because a suffix follows. */
function withoutTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

const maxBaseLength = 58;
const suffixLength = 5;

/** No vowels, so that no words appear, and no characters that look alike. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** `base` and five random characters. `random` returns numbers in [0, 1). */
export function generateName(base: string, random: () => number): string {
  let name = base.slice(0, maxBaseLength);
  for (let i = 0; i < suffixLength; i++) name += suffixAlphabet[Math.floor(random() * suffixAlphabet.length)] ?? '';
  return name;
}
