/** Reads the configuration files of kube-apiserver: YAML or JSON with an apiVersion, a kind and known fields. */
import {
  aggregate,
  errorMessage,
  fieldErrorText,
  isJsonObject,
  parseYaml,
  quote,
  textOf,
  type FieldError,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import { compileSchema, s, type Infer, type TypedSchema } from '@flotilla/schema';
import { objectMeta } from '../resources/object-meta.ts';

/** The file is invalid. The message says why, without the name of the file. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** No such file is larger. */
const maxFileLength = 4 * 1024 * 1024;

/** One kind of configuration file. */
export interface ConfigurationKind<T> {
  readonly apiVersions: readonly string[];
  readonly kind: string;
  /** Types of fields only: further rules are those of `validate`. */
  readonly schema: TypedSchema<T>;
  readonly validate: (configuration: T) => readonly FieldError[];
}

/** Strings that may be absent count as empty, as in Go. */
export const text = (): TypedSchema<string, 'defaulted'> => s.withDefault(s.string(''), '');
export const texts = (): TypedSchema<string[], 'defaulted'> => s.withDefault(s.list(s.string(''), ''), []);

/** Throws a ConfigurationError. */
export function readConfiguration<T>(content: string, expected: ConfigurationKind<T>): T {
  if (content.trim() === '') throw new ConfigurationError('the file is empty');
  if (content.length > maxFileLength) throw new ConfigurationError('the file is larger than 4 MiB');
  const { apiVersion, kind, ...fields } = parsedObject(content);
  const { apiVersions } = expected;
  if (kind !== expected.kind || !apiVersions.includes(textOf(apiVersion))) {
    throw new ConfigurationError(`the file must have the kind ${expected.kind} in ${apiVersions.join(' or ')}`);
  }
  const object = { apiVersion: textOf(apiVersion), kind, ...fields } as KubeObject;
  const schema = compileSchema(expected.schema.json, { metadata: objectMeta });
  const unknown = schema.prune(object);
  if (unknown.length > 0) {
    const problems = unknown.map((path) => `unknown field ${quote(path)}`);
    throw new ConfigurationError(`strict decoding error: ${problems.join(', ')}`);
  }
  schema.setDefaults(object);
  refuse(schema.validate(object).errors);
  const configuration = object as unknown as Infer<typeof expected.schema>;
  refuse(expected.validate(configuration));
  return configuration;
}

function parsedObject(content: string): JsonObject {
  let parsed: ReturnType<typeof parseYaml>;
  try {
    parsed = parseYaml(content);
  } catch (error) {
    throw new ConfigurationError(errorMessage(error), { cause: error });
  }
  const [repeated] = parsed.duplicates;
  if (repeated !== undefined) throw new ConfigurationError(`the field ${repeated} occurs twice`);
  if (!isJsonObject(parsed.value)) throw new ConfigurationError('the file contains no object');
  return parsed.value;
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new ConfigurationError(aggregate(errors.map(fieldErrorText)));
}
