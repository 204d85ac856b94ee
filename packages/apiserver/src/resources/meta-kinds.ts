import { decodeTyped, typeOfKind } from '@flotilla/builtins';
import { apiErrors, type JsonObject } from '@flotilla/kube';

/** DeleteOptions arrive as bodies, in any encoding, although they are no object of any resource. */
export const decodeOptions = {
  fromJson(value: JsonObject): { options: JsonObject; error?: string } {
    const type = typeOfKind({ group: '', version: 'v1', kind: 'DeleteOptions' });
    if (!type) throw new Error('the field table lacks DeleteOptions');
    const { object, problems } = decodeTyped(type, value);
    return problems.error === undefined ? { options: object } : { options: object, error: problems.error };
  },

  fromProtobuf(_bytes: Uint8Array): JsonObject {
    throw apiErrors.unsupportedMediaType(['application/json', 'application/yaml']);
  },
};
