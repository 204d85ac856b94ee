/**
 * Replaces what differs from run to run by what it stands for: the uid and address of an object by its name, random letters of a name
 * by `*`, a time by the step in which it lies. Everything else is compared exactly.
 */
import type { JsonValue, KubeObject } from '@flotilla/kube';
import type { Pod } from './pod-states.ts';

/** The letters of random suffixes. */
const randomLetters = '[bcdfghjklmnpqrstvwxz2456789]{5}';
const dayMs = 86_400_000;

/** Pods of a StatefulSet have an ordinal instead. */
function isRandom(suffix: string): boolean {
  return new RegExp(`^${randomLetters}$`).test(suffix);
}

/** Fields that the API server fills. */
const replacedFields: Readonly<Record<string, string>> = { nodePort: '<node port>', resourceVersion: '<version>' };

/** One normaliser serves one run of a scenario. */
export class Normaliser {
  readonly #namespace: string;
  /** When each step began, in whole seconds. */
  readonly #stepStarts: number[] = [];
  readonly #names = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  readonly #generatedNames = new Map<string, string>();
  /** The API server adds a volume of this name. */
  readonly #generatedPrefixes = new Set(['kube-api-access-']);
  readonly #minutes = new Map<string, number>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  beginStep(now: number): void {
    this.#stepStarts.push(Math.floor(now / 1000));
  }

  /** Learns uids, addresses and prefixes of names. All objects of a snapshot are learnt before the first is normalised. */
  learn(kind: string, object: KubeObject): void {
    const { name = '', generateName, uid = '' } = object.metadata;
    this.#generatedPrefixes.add(generateName ?? `${name}-`);
    if (generateName !== undefined && isRandom(name.slice(generateName.length)))
      this.#generatedNames.set(name, `${generateName}*`);
    this.#names.set(uid, `${kind}/${name}`);
    const { podIP } = (object as Pod).status ?? {};
    if (kind === 'Pod' && podIP !== undefined) this.#addresses.set(podIP, name);
    if (kind === 'Service') {
      const { clusterIPs = [] } = object['spec'] as { clusterIPs?: string[] };
      for (const address of clusterIPs) if (address !== 'None') this.#addresses.set(address, name);
    }
  }

  text(text: string): string {
    return this.#withoutRandomLetters(
      text
        .replaceAll(this.#namespace, 'NAMESPACE')
        .replace(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, (uid) => `<uid of ${this.#names.get(uid) ?? '?'}>`)
        .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, (time) => this.#stepOf(time))
        .replace(/\b10(?:\.\d{1,3}){3}\b(?!\/)/g, (address) => this.#addressOf(address)),
    );
  }

  value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) =>
      Object.hasOwn(replacedFields, key) ? [key, replacedFields[key] ?? ''] : [this.text(key), this.value(item)],
    );
    return Object.fromEntries(entries);
  }

  #addressOf(address: string): string {
    const name = this.#addresses.get(address);
    return name === undefined ? address : `<address of ${name}>`;
  }

  #stepOf(time: string): string {
    const seconds = Math.floor(Date.parse(time) / 1000);
    if (Math.abs(seconds * 1000 - (this.#stepStarts[0] ?? 0) * 1000) > dayMs) return time;
    const offset = time.endsWith('Z') ? '' : ` ${time.slice(-6)}`;
    return `<time ${this.#stepStarts.filter((start) => start <= seconds).length}${offset}>`;
  }

  /** The letters after a known prefix. Longer names first, because one may be the start of another. */
  #withoutRandomLetters(text: string): string {
    let result = text;
    // Also at the start of a name, as claims of a pod have it.
    for (const [name, masked] of this.#generatedNames) {
      if (result.includes(name)) result = result.replaceAll(name, masked);
    }
    for (const prefix of [...this.#generatedPrefixes].sort((a, b) => b.length - a.length)) {
      if (!result.includes(prefix)) continue;
      result = result.replace(
        new RegExp(`(?<![\\w-])${RegExp.escape(prefix)}${randomLetters}(?![\\w-])`, 'g'),
        `${prefix}*`,
      );
    }
    // A CronJob names its Jobs by the minute.
    return result.replace(/(?<=-)\d{8}(?![\w.])/g, (minute) => `<minute ${this.#minuteNumber(minute)}>`);
  }

  #minuteNumber(minute: string): number {
    const number = this.#minutes.get(minute) ?? this.#minutes.size + 1;
    this.#minutes.set(minute, number);
    return number;
  }
}
