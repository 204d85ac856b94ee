/**
 * Rules that are newer than existing definitions. An update need not follow a rule that the old definition violates.
 */
import { jsonEquals, type JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { someSchema } from '../structural/schema-walk.ts';
import { validateStructural } from '../structural/structural-rules.ts';
import { unsupportedKeyword } from '../structural/structural-keywords.ts';
import { caBundleProblem, supportsKnownReview } from './conversion.ts';
import { isConditionTrue } from './conditions.ts';
import type { CustomResourceDefinition, DefinitionSpec } from './custom-resource-definition.ts';
import { hoisted } from './hoisted-definition.ts';
import { hasNonAtomicSetItems, validateKeysOfItems } from './schemas/list-types.ts';
import { hasUnknownType } from './schemas/schema-keywords.ts';
import { hasUnprunedDefaults } from './schemas/schema-defaults.ts';
import { maxSelectableFields } from './selectable-fields.ts';

export interface Strictness {
  readonly schemaInEachVersion: boolean;
  readonly structural: boolean;
  readonly knownTypes: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSetItems: boolean;
  /** Whether keys of lists by key must be required or have a default, and items must not be nullable. */
  readonly definiteKeys: boolean;
  readonly knownReviewVersion: boolean;
  readonly validCaBundle: boolean;
  /** Versions that may have too many selectable fields; the empty name stands for the shared ones. */
  readonly manySelectableFields: ReadonlySet<string>;
  /** Versions whose rules may cost too much, because their schemas did not change. */
  readonly costlyRules: ReadonlySet<string>;
}

export const strictest: Strictness = {
  schemaInEachVersion: true,
  structural: true,
  knownTypes: true,
  prunedDefaults: true,
  atomicSetItems: true,
  definiteKeys: true,
  knownReviewVersion: true,
  // The server calls the webhook only after the definition is established, which an invalid bundle prevents.
  validCaBundle: false,
  manySelectableFields: new Set(),
  costlyRules: new Set(),
};

export function strictnessAfter(old: CustomResourceDefinition, definition: CustomResourceDefinition): Strictness {
  const { conversion, versions } = old.spec;
  const schemas = distinctSchemas(old.spec);
  const reviewVersions = conversion?.webhook?.conversionReviewVersions ?? [];
  return {
    schemaInEachVersion: versions.every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    structural: !schemas.some(isNonStructural),
    knownTypes: !anySchema(schemas, hasUnknownType),
    prunedDefaults: !schemas.some(hasUnprunedDefaults),
    atomicSetItems: !anySchema(schemas, hasNonAtomicSetItems),
    definiteKeys: !anySchema(schemas, (schema) => validateKeysOfItems(schema, '').length > 0),
    knownReviewVersion: reviewVersions.length === 0 || supportsKnownReview(reviewVersions),
    validCaBundle:
      isConditionTrue(old, 'Established') &&
      caBundleProblem(conversion?.webhook?.clientConfig?.caBundle ?? '') === undefined,
    manySelectableFields: unchangedSelections(old.spec, definition.spec),
    costlyRules: unchangedVersions(old.spec, definition.spec),
  };
}

/** The schemas of all versions; a shared one occurs once. */
export function distinctSchemas(spec: DefinitionSpec): JsonSchema[] {
  const { shared, versions } = hoisted(spec);
  return [shared, ...versions].flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
}

function anySchema(schemas: readonly JsonSchema[], holds: (schema: JsonSchema) => boolean): boolean {
  return schemas.some((schema) => someSchema(schema, holds));
}

function isNonStructural(schema: JsonSchema): boolean {
  return unsupportedKeyword(schema) !== undefined || validateStructural(schema, '').length > 0;
}

function unchangedVersions(old: DefinitionSpec, spec: DefinitionSpec): Set<string> {
  const before = new Map(old.versions.map(({ name, schema }) => [name, schema]));
  const same = (spec.versions ?? []).filter(({ name, schema }) => before.has(name) && isSame(schema, before.get(name)));
  return new Set(same.map(({ name }) => name));
}

function unchangedSelections(old: DefinitionSpec, spec: DefinitionSpec): Set<string> {
  const [hoistedNew, hoistedOld] = [hoisted(spec), hoisted(old)];
  const names = new Set<string>();
  if (isTooManyAndSame(hoistedOld.shared.selectableFields, hoistedNew.shared.selectableFields)) names.add('');
  const before = new Map(hoistedOld.versions.map(({ name, selectableFields }) => [name, selectableFields]));
  for (const { name, selectableFields } of hoistedNew.versions) {
    if (isTooManyAndSame(before.get(name), selectableFields)) names.add(name);
  }
  return names;
}

function isTooManyAndSame(before: readonly object[] | undefined, now: readonly object[] | undefined): boolean {
  return (before ?? []).length > maxSelectableFields && isSame(before, now);
}

function isSame(a: object | undefined, b: object | undefined): boolean {
  return jsonEquals((a ?? null) as JsonValue, (b ?? null) as JsonValue);
}
