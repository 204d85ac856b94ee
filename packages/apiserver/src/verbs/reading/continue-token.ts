import { apiErrors, JsonError, isJsonObject, parseJson, type JsonObject, type JsonValue } from '@flotilla/kube';

/** Where a paged list continues: the first key of the next page, at the revision of the first page. */
interface ContinueToken {
  /** -1: the newest revision, not consistent with earlier pages. */
  readonly revision: number;
  /** Name of the next key in the collection, inclusive. */
  readonly start: string;
}

/** Tokens are base64url of Kubernetes' JSON. */
export function encodeContinue({ revision, start }: ContinueToken, prefix: string): string {
  const token = { v: 'meta.k8s.io/v1', rv: revision, start: `/${start.slice(prefix.length)}` };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** `prefix` is the scope of the list, so a token of another list cannot read outside of it. */
export function decodeContinue(text: string, prefix: string): ContinueToken {
  const { v, rv, start } = parseToken(text);
  if (v !== 'meta.k8s.io/v1') {
    throw invalidToken(`server does not recognize this encoded version ${v}`);
  }
  if (rv === 0) throw invalidToken('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === '') throw invalidToken('encoded start key empty (version meta.k8s.io/v1)');
  if (!isClean(start)) throw apiErrors.badRequest(`invalid continue token: continue key is not valid: ${start}`);
  return { revision: rv, start: `${prefix}${start.replace(/^\//, '')}` };
}

interface Fields {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

function parseToken(text: string): Fields {
  const json = base64UrlText(text);
  try {
    const { value } = parseJson(json);
    if (value === null) return { v: '', rv: 0, start: '' };
    if (!isJsonObject(value)) throw wrongType(value, 'Go value of type storage.continueToken');
    return { v: stringIn(value, 'v'), rv: integerIn(value, 'rv'), start: stringIn(value, 'start') };
  } catch (error) {
    if (error instanceof JsonError) throw invalidToken(error.message);
    throw error;
  }
}

function stringIn(token: JsonObject, field: keyof Fields): string {
  const value = token[field] ?? '';
  if (typeof value === 'string') return value;
  throw wrongType(value, `Go struct field continueToken.${field} of type string`);
}

function integerIn(token: JsonObject, field: keyof Fields): number {
  const value = token[field] ?? 0;
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return Number(value);
  throw wrongType(value, `Go struct field continueToken.${field} of type int64`);
}

function wrongType(value: JsonValue, target: string): JsonError {
  return new JsonError(`json: cannot unmarshal ${goKindOf(value)} into ${target}`);
}

function goKindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : `number ${JSON.stringify(value)}`;
}

function base64UrlText(text: string): string {
  const illegal = /[^A-Za-z0-9_-]/.exec(text);
  if (illegal) throw invalidToken(`illegal base64 data at input byte ${illegal.index}`);
  if (text.length % 4 === 1) throw invalidToken(`illegal base64 data at input byte ${text.length - 1}`);
  return Buffer.from(text, 'base64url').toString('latin1');
}

/** Whether the key has no empty, `.` or `..` segments, with which it could leave the list's scope. */
function isClean(start: string): boolean {
  const segments = start.replace(/^\//, '').split('/');
  return segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

function invalidToken(why: string): Error {
  return apiErrors.badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
