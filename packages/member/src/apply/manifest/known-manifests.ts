import { LruCache, stringifyJson, type JsonValue } from '@flotilla/kube';
import { decodeManifest, type Decoded } from './decode-manifest.ts';

const knownManifests = new LruCache<Decoded>(1024);

/** Longer texts would take too much memory, and they are rarely sent to many members. */
const maxTextLength = 8192;

/**
 * As `decodeManifest`, with the same result for equal manifests: a placement sends them to many members, whose agents may run in one
 * thread, and each of them applies them in several rounds. What is computed from the result can be kept by it. Nobody may change it.
 */
export function knownManifest(value: JsonValue | undefined): Decoded {
  if (value === undefined) return decodeManifest(value);
  const text = stringifyJson(value);
  if (text.length > maxTextLength) return decodeManifest(value);
  const known = knownManifests.get(text);
  if (known !== undefined) return known;
  const decoded = decodeManifest(value);
  knownManifests.set(text, decoded);
  return decoded;
}
