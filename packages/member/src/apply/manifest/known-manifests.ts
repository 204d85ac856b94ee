import { onceForEqual, type JsonValue } from '@flotilla/kube';
import { decodeManifest } from './decode-manifest.ts';

/**
 * As `decodeManifest`, with the same result for equal manifests: a placement sends them to many members, whose agents may run in one
 * thread, and each of them applies them in several rounds. So whatever is computed from the object can be kept by it.
 */
export const knownManifest = onceForEqual((manifest: JsonValue) => decodeManifest(manifest), 1024);
