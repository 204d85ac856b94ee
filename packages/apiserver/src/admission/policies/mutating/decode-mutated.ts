import { apiErrors, apiVersionOf, isJsonObject, type JsonValue, type KubeObject, type MergeType } from '@flotilla/kube';
import { builtinCodec } from '../../../resources/builtin-resource.ts';
import type { MatchedResource } from '../../matching/match-criteria.ts';
import type { Mutation } from './mutating-policy.ts';
import { MutationFault } from './mutation-fault.ts';

/** Kubernetes has no merge type for subresources with a kind of their own, such as Scale. */
export function mergeTypeOf(matched: MatchedResource): MergeType {
  const { resource, kind } = matched;
  const apiVersion = apiVersionOf(kind);
  const type = isOwnKind(matched) ? resource.codec.mergeType(apiVersion) : undefined;
  if (type) return type;
  const why = `no corresponding type for ${apiVersion}, Kind=${kind.kind}`;
  throw new MutationFault(`error applying patch: failed to convert patch object to typed object: ${why}`);
}

/** Decodes the result of a mutation like a request's body, and sets defaults. The fields of a JSON patch must exist. */
export function decodeMutated(value: JsonValue, type: Mutation['type'], matched: MatchedResource): KubeObject {
  const { resource } = matched;
  if (!isJsonObject(value)) throw apiErrors.internalError('the patch removes the object');
  const codec = isOwnKind(matched) ? resource.codec : builtinCodec(matched.kind);
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
