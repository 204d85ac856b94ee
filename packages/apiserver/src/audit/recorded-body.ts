/** What an event keeps of the body of a request. It can be sent to another thread. */
import {
  copyJson,
  decodeUtf8,
  isJsonObject,
  parseYaml,
  stringifyJson,
  textOf,
  yamlText,
  type JsonObject,
} from '@flotilla/kube';
import { isBelow } from './audit-level.ts';
import type { AuditDecision } from './policy/audit-policy.ts';
import { dropManagedFields, maxParsedBytes } from './response-object.ts';

export interface RecordedBody {
  /** JSON; undefined below the level Request. */
  readonly text?: string | undefined;
  readonly isTooLarge?: boolean;
  /** What the body says about the object; empty if it says nothing. */
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

type Kept = Pick<AuditDecision, 'level' | 'omitsManagedFields'>;

export function recordedObject(object: JsonObject, { level, omitsManagedFields }: Kept): RecordedBody {
  const { metadata } = object;
  const { namespace, name, uid, resourceVersion } = metadata !== undefined && isJsonObject(metadata) ? metadata : {};
  return {
    ...(!isBelow(level, 'Request') && { text: stringifyJson(omitsManagedFields ? withoutManagers(object) : object) }),
    namespace: textOf(namespace),
    name: textOf(name),
    uid: textOf(uid),
    resourceVersion: textOf(resourceVersion),
  };
}

function withoutManagers(object: JsonObject): JsonObject {
  const copy = copyJson(object) as JsonObject;
  dropManagedFields(copy);
  return copy;
}

export function recordedPatch(bytes: Uint8Array, { level }: Kept): RecordedBody {
  if (isBelow(level, 'Request')) return {};
  if (bytes.length > maxParsedBytes) return { isTooLarge: true };
  try {
    // YAML includes JSON.
    return { text: stringifyJson(parseYaml(yamlText(bytes)).value) };
  } catch {
    // As it is, it would make the whole event unreadable.
    return { text: stringifyJson(decodeUtf8(bytes)) };
  }
}
