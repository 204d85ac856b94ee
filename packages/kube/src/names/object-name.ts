/** Rules for `metadata.name`. A rule knows whether it sees a whole name or the prefix that a name is generated from. */
import { dns1035LabelProblems, dns1123LabelProblems, dns1123SubdomainProblems } from './dns.ts';
import { noProblems } from './sentence.ts';

export type NameRule = (name: string, isPrefix: boolean) => readonly string[];

export const nameIsDnsSubdomain: NameRule = (name, isPrefix) =>
  dns1123SubdomainProblems(isPrefix ? withoutTrailingDash(name) : name);

export const nameIsDnsLabel: NameRule = (name, isPrefix) =>
  dns1123LabelProblems(isPrefix ? withoutTrailingDash(name) : name);

export const nameIsDns1035Label: NameRule = (name, isPrefix) =>
  dns1035LabelProblems(isPrefix ? withoutTrailingDash(name) : name);

/** Anything that may stand in a URL: the names of roles and bindings. */
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

/** More characters will follow, so a prefix may end with a dash. */
function withoutTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
