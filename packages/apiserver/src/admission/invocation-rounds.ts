import { copyJson, jsonEquals, type KubeObject } from '@flotilla/kube';
import type { Reinvocation } from './admission.ts';

/** Remembers which webhooks or policies of a request ran in the first round, for the second one. */
export class InvocationRounds {
  /** Those to reinvoke that ran since the object last changed. */
  readonly #ran = new Set<string>();
  /** Those that ran before a change. */
  readonly #outdated = new Set<string>();
  #lastOutput: KubeObject | undefined;

  ran(id: string): void {
    this.#ran.add(id);
  }

  objectChanged(): void {
    for (const id of this.#ran) this.#outdated.add(id);
    this.#ran.clear();
  }

  end(object: KubeObject | undefined): void {
    this.#lastOutput = object && (copyJson(object) as KubeObject);
  }

  /** What did not run in the first round does not run in the second. */
  isDue(id: string): boolean {
    return this.#outdated.has(id);
  }

  beginAgain(object: KubeObject | undefined): void {
    if (!jsonEquals(object ?? null, this.#lastOutput ?? null)) this.objectChanged();
  }
}

export function roundsOf({ states }: Reinvocation, plugin: string): InvocationRounds {
  let rounds = states.get(plugin) as InvocationRounds | undefined;
  if (!rounds) states.set(plugin, (rounds = new InvocationRounds()));
  return rounds;
}
