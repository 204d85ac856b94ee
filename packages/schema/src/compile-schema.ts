import { invalid, pushAll, type FieldError, type JsonObject, type KubeObject, type MergeType } from '@flotilla/kube';
import type { CompiledSchema, ValidationContext, Validation } from './compiled-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { mergeTypeOf } from './merge-type.ts';
import { RuleRunner } from './rules/rule-runner.ts';
import type { RuleEvaluator } from './rules/run-rules.ts';
import { SchemaNode } from './schema-node.ts';
import { coerceEmbedded, type Coercion, type ReadMetadata } from './value/coerce-embedded.ts';
import { Correlation } from './value/correlation.ts';
import { prune } from './value/prune.ts';
import { setDefaults } from './value/set-defaults.ts';
import { validateUniqueItems } from './value/unique-items.ts';
import { validateEmbedded } from './value/validate-embedded.ts';
import { validateValue } from './value/validate-value.ts';
import { ValueSchema } from './value/value-schema.ts';

export interface CompileOptions {
  /** The type of ObjectMeta, for the resource itself and for embedded ones. The server provides it. */
  readonly metadata: { readonly read: ReadMetadata; readonly mergeType: MergeType };
}

/** Compiles on first use: most versions of most definitions have no requests. */
export function compileSchema(schema: JsonSchema, { metadata }: CompileOptions): CompiledSchema {
  return new LazySchema(schema, metadata);
}

/** After one of these errors, rules could see values of wrong types. */
const blockingTypes: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
] as const);

const rulesNotCheckedMessage =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

class LazySchema implements CompiledSchema {
  readonly #schema: JsonSchema;
  readonly #metadata: CompileOptions['metadata'];
  #root: SchemaNode | undefined;
  #values: ValueSchema | undefined;
  #rules: RuleRunner | undefined;
  #mergeType: MergeType | undefined;

  constructor(schema: JsonSchema, metadata: CompileOptions['metadata']) {
    this.#schema = schema;
    this.#metadata = metadata;
  }

  get mergeType(): MergeType {
    return (this.#mergeType ??= mergeTypeOf(this.#node, this.#metadata.mergeType));
  }

  prune(object: JsonObject): string[] {
    return prune(object, this.#node);
  }

  setDefaults(object: JsonObject): void {
    setDefaults(object, this.#node);
  }

  hasDefault(field: string): boolean {
    return this.#node.properties.get(field)?.default !== undefined;
  }

  coerceEmbedded(object: JsonObject, drop: boolean): Coercion {
    return coerceEmbedded(object, this.#node, { read: this.#metadata.read, drop });
  }

  validate(object: KubeObject, others: ValidationContext = {}): Validation {
    const errors = [
      ...(others.metadata ?? []),
      ...validateValue(object, this.#valueSchema),
      ...(others.scale ?? []),
      ...validateEmbedded(object, this.#node, this.#metadata.read),
      ...validateUniqueItems(object, this.#node),
    ];
    return this.#withRules(errors, object, undefined, others.evaluator);
  }

  validateUpdate(object: KubeObject, old: KubeObject, others: ValidationContext = {}): Validation {
    const correlate = (): Correlation => new Correlation(object, old, this.#node);
    const errors = [
      ...(others.metadata ?? []),
      ...validateValue(object, this.#valueSchema, { correlate }),
      ...(others.scale ?? []),
      ...validateEmbedded(object, this.#node, this.#metadata.read),
      ...this.#newDuplicates(object, old),
    ];
    return this.#withRules(errors, object, old, others.evaluator);
  }

  validateStatusUpdate(object: KubeObject, old: KubeObject, others: ValidationContext = {}): Validation {
    const errors = [
      ...(others.metadata ?? []),
      ...this.#validateStatus(object, old),
      ...(others.scale ?? []),
      ...this.#newDuplicates(object, old),
    ];
    return this.#withRules(errors, object, old, others.evaluator);
  }

  #validateStatus(object: KubeObject, old: KubeObject): FieldError[] {
    const schema = this.#valueSchema.properties.get('status');
    const status = object['status'];
    if (schema === undefined || status === undefined) return [];
    const correlate = (): Correlation | undefined => new Correlation(object, old, this.#node).key('status');
    return validateValue(status, schema, { prefix: 'status', correlate });
  }

  /** Lists that had duplicates before may keep them. */
  #newDuplicates(object: KubeObject, old: KubeObject): FieldError[] {
    const errors = validateUniqueItems(object, this.#node);
    return errors.length === 0 || validateUniqueItems(old, this.#node).length > 0 ? [] : errors;
  }

  #withRules(
    errors: FieldError[],
    object: KubeObject,
    old: KubeObject | undefined,
    evaluator: (() => RuleEvaluator) | undefined,
  ): Validation {
    if (!this.#node.below.hasRules) return { errors, warnings: [] };
    if (errors.some(({ type }) => blockingTypes.has(type))) {
      errors.push(invalid('<nil>', null, rulesNotCheckedMessage));
      return { errors, warnings: [] };
    }
    const { errors: failures, warnings } = this.#ruleRunner.run(object, old, evaluator?.());
    pushAll(errors, failures);
    return { errors, warnings };
  }

  get #node(): SchemaNode {
    return (this.#root ??= new SchemaNode(this.#schema));
  }

  get #valueSchema(): ValueSchema {
    return (this.#values ??= new ValueSchema(this.#schema));
  }

  get #ruleRunner(): RuleRunner {
    return (this.#rules ??= new RuleRunner(this.#node));
  }
}
