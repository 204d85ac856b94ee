import { apiErrors, isJsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';
import { builtinCodec } from '../../../resources/builtin-resource.ts';
import type { Codec } from '../../../resources/resource.ts';
import type { MatchedResource } from '../../matching/match-criteria.ts';
import type { Mutation } from './mutating-policy.ts';
import { MutationFault } from './mutation-fault.ts';

/** The codec of the objects that a policy sees. A subresource may have a built-in kind of its own, such as Scale. */
export function codecOf({ resource, kind }: MatchedResource): Codec {
  return isOwnKind({ resource, kind }) ? resource.codec : builtinCodec(kind);
}

/** Decodes the result of a mutation like a request's body, and sets defaults. The fields of a JSON patch must exist. */
export function decodeMutated(value: JsonValue, type: Mutation['type'], matched: MatchedResource): KubeObject {
  const { resource } = matched;
  if (!isJsonObject(value)) throw apiErrors.internalError('the patch removes the object');
  const codec = codecOf(matched);
  const { object, error, unknownFields } =
    type === 'jsonPatch' ? codec.decode(value) : (codec.decodeConverted ?? codec.decode)(value);
  if (error !== undefined) throw type === 'jsonPatch' ? apiErrors.internalError(error) : new MutationFault(error);
  if (type === 'jsonPatch' && unknownFields.length > 0 && !resource.isUnstructured) {
    const fields = unknownFields.map((field) => `unknown field "${field}"`).join(', ');
    throw apiErrors.internalError(`strict decoding error: ${fields}`);
  }
  if (isOwnKind(matched)) resource.behavior.setDefaults?.(object);
  return object;
}

function isOwnKind({ resource, kind }: MatchedResource): boolean {
  return resource.kind === kind.kind && resource.group === kind.group;
}
