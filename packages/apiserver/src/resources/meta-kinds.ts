import { decodeTyped, typeOfKind } from '@flotilla/builtins';
import type { JsonObject } from '@flotilla/kube';
import { decodeOptionsMessage } from './protobuf-codec.ts';

const deleteOptions = { group: '', version: 'v1', kind: 'DeleteOptions' };

/** DeleteOptions are request bodies in any encoding, although no resource has that kind. */
export const decodeOptions = {
  fromJson(value: JsonObject): { options: JsonObject; error?: string } {
    const type = typeOfKind(deleteOptions);
    if (!type) throw new Error('the field table lacks DeleteOptions');
    const { object, problems } = decodeTyped(type, value);
    return problems.error === undefined ? { options: object } : { options: object, error: problems.error };
  },

  fromProtobuf(bytes: Uint8Array): { kind: string; apiVersion: string; options: JsonObject } {
    const { kind, apiVersion, object } = decodeOptionsMessage(bytes, deleteOptions);
    return { kind, apiVersion, options: object };
  },
};
