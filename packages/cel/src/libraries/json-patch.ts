import { declare, overload, type Library } from '../library.ts';
import { types } from '../type.ts';

/** Escapes keys for the paths of JSON patches. */
export const jsonPatchLibrary: Library = {
  name: 'kubernetes.jsonpatch',
  functions: [
    declare(
      'jsonpatch.escapeKey',
      overload('string_jsonpatch_escapeKey_string', [types.string], types.string, (key: string) =>
        key.replace(/[~/]/g, (character) => (character === '~' ? '~0' : '~1')),
      ),
    ),
  ],
};
