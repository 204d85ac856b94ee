/** Walks a schema and checks its keywords, in Kubernetes' order: a node, the nodes below it, then its extensions. */
import { forbidden, invalid, notSupported, pushAll, type FieldError } from '@flotilla/kube';
import { valuesOf, type JsonSchema } from '../../json-schema.ts';
import { isUnsupported } from '../../structural/structural-keywords.ts';
import { validateListAndMapTypes } from './list-types.ts';
import { checkRules } from '../rules/rule-checks.ts';
import type { RuleScope } from '../rules/rule-scope.ts';
import { validateRuleTexts } from '../rules/rule-texts.ts';
import type { Strictness } from '../strictness.ts';

const schemaTypes: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

interface SchemaErrors {
  readonly schema: FieldError[];
  /** Errors of expressions, which are reported after all others. */
  readonly rules: FieldError[];
}

/** Without a scope, the expressions of rules are not checked: the schema has other errors. */
export function checkSchema(
  schema: JsonSchema,
  path: string,
  strictness: Strictness,
  scope: RuleScope | undefined,
): SchemaErrors {
  const walk = new SchemaWalk(strictness);
  walk.visit(schema, path, {
    isRoot: true,
    isInMeta: false,
    noDefaultReason: undefined,
    uncorrelatable: undefined,
    scope,
  });
  return walk.errors;
}

export function hasUnknownType({ type }: JsonSchema): boolean {
  return type !== undefined && !schemaTypes.includes(type);
}

/** What a node inherits from the nodes above it. */
interface NodeContext {
  readonly isRoot: boolean;
  /** Inside `kind`, `apiVersion` or `metadata` of a resource. */
  readonly isInMeta: boolean;
  /** Why defaults are forbidden here, if they are. */
  readonly noDefaultReason: string | undefined;
  /** The highest node above that cannot be correlated with the old object. */
  readonly uncorrelatable: string | undefined;
  readonly scope: RuleScope | undefined;
}

class SchemaWalk {
  readonly errors: SchemaErrors = { schema: [], rules: [] };
  readonly #strictness: Strictness;
  /** The number of schemas with unsupported keywords. */
  #unsupported = 0;

  constructor(strictness: Strictness) {
    this.#strictness = strictness;
  }

  visit(schema: JsonSchema, path: string, context: NodeContext): void {
    const { schema: errors, rules } = this.errors;
    const errorsBefore = errors.length;
    const unsupportedBefore = this.#unsupported;
    if (isUnsupported(schema)) this.#unsupported++;
    checkKeywords(schema, path, context, this.#strictness.knownTypes, errors);
    this.#visitFields(schema, path, context);
    this.#visitJunctors(schema, path, context);
    this.#visitItems(schema, path, context);
    this.#visitDependencies(schema, path, context);

    if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
      errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
    }
    pushAll(errors, validateListAndMapTypes(schema, path, this.#strictness));
    if (schema['x-kubernetes-validations'] === undefined) return;
    validateRuleTexts(schema, path, this.#unsupported === unsupportedBefore, errors);
    // An invalid schema has no types, and errors of its rules would only hide the cause.
    if (errors.length === errorsBefore && context.scope !== undefined) {
      checkRules(schema, path, context.scope, context.uncorrelatable, rules);
    }
  }

  #visitFields(schema: JsonSchema, path: string, context: NodeContext): void {
    const values = valuesOf(schema);
    if (values !== undefined) {
      const scope = context.scope?.values(values);
      const noDefaultReason = context.isInMeta
        ? 'inside additionalProperties applying to object metadata'
        : context.noDefaultReason;
      this.visit(values, `${path}.additionalProperties`, {
        ...context,
        isRoot: false,
        noDefaultReason,
        scope,
      });
    }
    const { properties } = schema;
    if (properties === undefined) return;
    const usual = childContext(schema, path, context);
    for (const name of Object.keys(properties)) {
      const property = properties[name];
      if (property === undefined) continue;
      this.visit(property, `${path}.properties[${name}]`, propertyContext(schema, name, property, context, usual));
    }
  }

  #visitJunctors(schema: JsonSchema, path: string, context: NodeContext): void {
    const { not, allOf, oneOf, anyOf, definitions } = schema;
    if ((not ?? allOf ?? oneOf ?? anyOf ?? definitions) === undefined) return;
    const inside: NodeContext = { ...context, isRoot: false, scope: undefined };
    if (not !== undefined) this.visit(not, `${path}.not`, inside);
    allOf?.forEach((one, i) => this.visit(one, `${path}.allOf[${i}]`, inside));
    oneOf?.forEach((one, i) => this.visit(one, `${path}.oneOf[${i}]`, inside));
    anyOf?.forEach((one, i) => this.visit(one, `${path}.anyOf[${i}]`, inside));
    for (const [name, one] of Object.entries(definitions ?? {}))
      this.visit(one, `${path}.definitions[${name}]`, inside);
  }

  #visitItems(schema: JsonSchema, path: string, context: NodeContext): void {
    const { items } = schema;
    if (items === undefined) return;
    // Without keys, items cannot be matched with those of the old list.
    const isByKey = schema['x-kubernetes-list-type'] === 'map';
    const uncorrelatable = isByKey ? context.uncorrelatable : (context.uncorrelatable ?? path);
    const inside = { ...context, isRoot: false, uncorrelatable };
    if (isList(items)) {
      items.forEach((one, i) =>
        this.visit(one, `${path}.items[${i}]`, { ...inside, scope: context.scope?.items(one) }),
      );
    } else {
      this.visit(items, `${path}.items`, { ...inside, scope: context.scope?.items(items) });
    }
  }

  #visitDependencies({ dependencies }: JsonSchema, path: string, context: NodeContext): void {
    if (dependencies === undefined) return;
    const inside: NodeContext = { ...context, isRoot: false, scope: undefined };
    for (const [name, dependency] of Object.entries(dependencies)) {
      if (!isList(dependency)) this.visit(dependency, `${path}.dependencies[${name}]`, inside);
    }
  }
}

const metaFields: readonly string[] = ['metadata', 'kind', 'apiVersion'];
const correlatableMaps: readonly string[] = ['granular', 'atomic'];

/** For properties other than those of every resource. */
function childContext(parent: JsonSchema, path: string, context: NodeContext): NodeContext {
  const isCorrelatable = correlatableMaps.includes(parent['x-kubernetes-map-type'] ?? 'granular');
  const uncorrelatable = isCorrelatable ? context.uncorrelatable : (context.uncorrelatable ?? path);
  return { ...context, isRoot: false, uncorrelatable };
}

function propertyContext(
  parent: JsonSchema,
  name: string,
  property: JsonSchema,
  context: NodeContext,
  usual: NodeContext,
): NodeContext {
  const isResource = context.isRoot || parent['x-kubernetes-embedded-resource'] === true;
  const isMeta = isResource && metaFields.includes(name);
  if (!isMeta) return context.scope === undefined ? usual : { ...usual, scope: context.scope.property(name, property) };
  return {
    ...usual,
    isInMeta: true,
    noDefaultReason: context.isRoot ? `in top-level ${name}` : context.noDefaultReason,
    scope: context.scope?.property(name, property),
  };
}

function checkKeywords(
  schema: JsonSchema,
  path: string,
  { noDefaultReason, isInMeta }: NodeContext,
  knownTypes: boolean,
  errors: FieldError[],
): void {
  if (knownTypes && hasUnknownType(schema)) errors.push(notSupported(`${path}.type`, schema.type, schemaTypes));
  if (schema.default !== undefined && noDefaultReason !== undefined) {
    errors.push(forbidden(`${path}.default`, `must not be set ${noDefaultReason}`));
  }
  for (const keyword of unsupportedKeywords) {
    if (schema[keyword] !== undefined) errors.push(forbidden(`${path}.${keyword}`, `${keyword} is not supported`));
  }
  if (schema.type === 'null') {
    errors.push(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items)) {
    errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (isInMeta && schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  }
  if (schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbidden(`${path}.uniqueItems`, detail));
  }
  if (schema.properties !== undefined && (schema.additionalProperties ?? true) !== true) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbidden(`${path}.additionalProperties`, detail));
  }
}

const unsupportedKeywords = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
] as const;

function isList<T>(value: object | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
