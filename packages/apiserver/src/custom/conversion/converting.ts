import { stringifyJson, type JsonObject, type KubeObject } from '@flotilla/kube';
import type { Resource, ToVersion } from '../../resources/resource.ts';
import type { Convert } from './convert.ts';

/**
 * Pure functions compute managedFields, and may need the object in other versions. When only a webhook can convert it, they
 * throw, and run again with the webhook's answer, until they have all versions.
 */
export function convertingByWebhook(convert: Convert): Required<Pick<Resource, 'toVersion' | 'whileConverting'>> {
  let answers: Map<string, JsonObject> | undefined;
  const toVersion: ToVersion = (object, apiVersion) => {
    if (object['apiVersion'] === apiVersion) return object;
    const missing = new MissingConversion(object as KubeObject, apiVersion);
    const answer = answers?.get(missing.key);
    if (!answer) throw missing;
    return answer;
  };
  return {
    toVersion,
    whileConverting: async (work) => {
      const known = new Map<string, JsonObject>();
      for (;;) {
        const outcome = attempt(() => {
          answers = known;
          return work();
        });
        answers = undefined;
        if ('result' in outcome) return outcome.result;
        const { object, apiVersion, key } = outcome.missing;
        const [answer] = await convert([object], apiVersion);
        if (!answer) throw new Error('the conversion returned no object');
        known.set(key, answer);
      }
    },
  };
}

function attempt<T>(work: () => T): { readonly result: T } | { readonly missing: MissingConversion } {
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof MissingConversion) return { missing: error };
    throw error;
  }
}

/** Thrown by synchronous code that needs an object in another version. */
class MissingConversion extends Error {
  readonly object: KubeObject;
  readonly apiVersion: string;
  readonly key: string;

  constructor(object: KubeObject, apiVersion: string) {
    super(`the object is not yet converted to ${apiVersion}`);
    this.object = object;
    this.apiVersion = apiVersion;
    this.key = `${apiVersion} ${stringifyJson(object)}`;
  }
}
