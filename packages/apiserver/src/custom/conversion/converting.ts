import { stringifyJson, type JsonObject, type KubeObject } from '@flotilla/kube';
import type { Resource, ToVersion } from '../../resources/resource.ts';
import type { Convert } from './convert.ts';

/**
 * Owners of fields are worked out by pure functions, which ask for the object in other versions as they go. Where a webhook
 * must be asked, they are run again with its answer at hand, until they have all they want.
 */
export function convertingByWebhook(convert: Convert): Required<Pick<Resource, 'toVersion' | 'whileConverting'>> {
  let answers: Map<string, JsonObject> | undefined;
  const toVersion: ToVersion = (object, apiVersion) => {
    if (object['apiVersion'] === apiVersion) return object;
    const question = new Question(object as KubeObject, apiVersion);
    const answer = answers?.get(question.key);
    if (!answer) throw question;
    return answer;
  };
  return {
    toVersion,
    whileConverting: async (work) => {
      const known = new Map<string, JsonObject>();
      for (;;) {
        const question = attempt(() => {
          answers = known;
          return work();
        });
        answers = undefined;
        if ('result' in question) return question.result;
        const { object, apiVersion, key } = question.asked;
        const [answer] = await convert([object], apiVersion);
        if (!answer) throw new Error('a conversion gave nothing');
        known.set(key, answer);
      }
    },
  };
}

function attempt<T>(work: () => T): { readonly result: T } | { readonly asked: Question } {
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof Question) return { asked: error };
    throw error;
  }
}

/** Thrown by whoever needs an object in another version, and cannot wait. */
class Question extends Error {
  readonly object: KubeObject;
  readonly apiVersion: string;
  readonly key: string;

  constructor(object: KubeObject, apiVersion: string) {
    super(`an object is wanted in ${apiVersion}`);
    this.object = object;
    this.apiVersion = apiVersion;
    this.key = `${apiVersion} ${stringifyJson(object)}`;
  }
}
