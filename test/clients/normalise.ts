/**
 * Replaces values that differ from run to run: uids, resource versions, times, addresses and ports that the server chose, random
 * letters, URLs and folders. Everything else stays, and so does every value that the scenario itself mentions.
 */
import type { Scenario } from './scenario.ts';

interface NormaliserOptions {
  /** The temporary folder of the run. */
  readonly root: string;
  /** The server's URL. */
  readonly url: string;
  readonly scenario: Pick<Scenario, 'source' | 'generatedNames'>;
}

interface Rule {
  readonly pattern: RegExp;
  readonly replace: (match: string, ...groups: string[]) => string;
}

const dayMs = 86_400_000;
/** The letters of random name suffixes. */
const randomLetters = '[bcdfghjklmnpqrstvwxz2456789]{5}';

/** One normaliser serves one run of a scenario: equal uids and resource versions get equal numbers in all its output. */
export function createNormaliser({ root, url, scenario }: NormaliserOptions): (text: string) => string {
  const number = numbering();
  const unlessMentioned = (replacement: (value: string) => string) => (value: string) =>
    mentions(scenario.source, value) ? value : replacement(value);
  const always = (replacement: string) => (): string => replacement;

  const rules: Rule[] = [
    { pattern: literally(root), replace: always('<root>') },
    { pattern: literally(url), replace: always('<server>') },
    { pattern: literally(new URL(url).host), replace: always('<server-address>') },
    { pattern: /(LIVE|MERGED|kubectl-edit)-\d+/g, replace: (_, name) => `${name}-<n>` },
    { pattern: /^[IWEF]\d{4} [\d:.]+ +\d+ (\S+:)\d+\]/gm, replace: (_, file) => `<log> ${file}]` },
    // At a deadline client-go may warn of a very short watch of its own. The race is in the client.
    {
      pattern: /^<log> reflector\.go:\] "Warning: watch ended with error" .*very short watch.*\n/gm,
      replace: always(''),
    },
    { pattern: /v1\.36\.4\+flotilla[\w.-]*/g, replace: always('v1.36.4') },
    {
      pattern: /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g,
      replace: unlessMentioned((uid) => `<uid-${number('uid', uid)}>`),
    },
    {
      pattern: /(resourceVersion\\?"?: ?\\?"|Resource Version: +|resource version to be \d+, was )(\d+)/g,
      replace: (_, before, version) => `${before}<version-${number('version', version ?? '')}>`,
    },
    { pattern: /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000)/g, replace: ofThisRun },
    { pattern: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, replace: ofThisRun },
    { pattern: /(?<=^| {2}|\t)\d{1,3}s(?: {2,}|(?=\t|$))/gm, replace: (cell) => 'AGE'.padEnd(cell.length) },
    { pattern: /\b10(?:\.\d{1,3}){3}\b(?!\/)/g, replace: unlessMentioned(always('<cluster-ip>')) },
    { pattern: /(?<![\d.-])3[0-2]\d{3}(?![\d.-])/g, replace: unlessMentioned(always('<node-port>')) },
    ...scenario.generatedNames.map((prefix) => ({
      pattern: new RegExp(`${RegExp.escape(prefix)}${randomLetters}(?![\\w-])`, 'g'),
      replace: always(`${prefix}<random>`),
    })),
  ];
  return (text) => evenColumns(rules.reduce((result, { pattern, replace }) => result.replace(pattern, replace), text));
}

/** The width of a column of addresses depends on the addresses. */
function evenColumns(text: string): string {
  return /^(?:NAME|NAMESPACE) .*CLUSTER-IP/m.test(text) && text.includes('<cluster-ip>')
    ? text.replace(/ {3,}/g, '   ')
    : text;
}

/** Times in the scenario's files are long past, and stay. */
function ofThisRun(time: string): string {
  if (Math.abs(Date.parse(time.replace(' +0000', 'Z')) - Date.now()) > dayMs) return time;
  return time.includes('.') ? '<microtime>' : '<time>';
}

/** 10.0.0.201 does not mention 10.0.0.20. */
function mentions(source: string, value: string): boolean {
  return new RegExp(`(?<![\\w.])${RegExp.escape(value)}(?!\\w)`).test(source);
}

function literally(text: string): RegExp {
  return new RegExp(RegExp.escape(text), 'g');
}

function numbering(): (kind: string, value: string) => number {
  const numbers = new Map<string, Map<string, number>>();
  return (kind, value) => {
    const known = numbers.get(kind) ?? new Map<string, number>();
    numbers.set(kind, known);
    const number = known.get(value) ?? known.size + 1;
    known.set(value, number);
    return number;
  };
}
