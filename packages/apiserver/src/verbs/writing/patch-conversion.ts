/**
 * After a strategic merge patch or an apply, Kubernetes converts Go maps instead of decoding JSON, and the converter has its own
 * error messages. This translates the messages of our decoder.
 */
const decodeFault = /^json: cannot unmarshal (\w+)(?: (\S+))? into Go (?:struct field \S+|value) of type (.+)$/;

export function converterFault(error: string, ownError?: string): string {
  // The converter, too, lets these types unmarshal themselves.
  if (ownError !== undefined) return ownError;
  const match = decodeFault.exec(error);
  if (!match) return error.startsWith('illegal base64 data') ? `error decoding from json: ${error}` : error;
  const [, json = '', literal = '', target = ''] = match;
  const source = sourceKind(json, literal);
  if (target.startsWith('[]')) return `cannot restore slice from ${source}`;
  if (target.startsWith('map[')) return `cannot restore map from ${source}`;
  if (/[.A-Z]/.test(target)) return `cannot restore struct from: ${source}`;
  const convertible = isNumber(source) && target !== 'bool';
  return convertible ? `cannot convert ${source} to ${target}` : `unrecognized type: ${target}`;
}

function sourceKind(json: string, literal: string): string {
  switch (json) {
    case 'object':
      return 'map';
    case 'array':
      return 'slice';
    case 'number':
      return /[.eE]/.test(literal) ? 'float64' : 'int64';
    default:
      return json;
  }
}

function isNumber(kind: string): boolean {
  return kind === 'int64' || kind === 'float64';
}
