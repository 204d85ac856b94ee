import type { Kind } from '@flotilla/kube';
import {
  defineKind,
  type CustomResourceDefinition,
  type DefinitionVersion,
  type Fields,
  type PrinterColumn,
  type ValidationRule,
} from '@flotilla/schema';
import { differentSchema, type SchemaDifference } from './schema-difference.ts';

/** A kind as its stored version has it, and the differences of its other versions. */
export interface KindInVersions {
  readonly description: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  /** Fields beside kind, apiVersion and metadata. */
  readonly fields: Fields;
  /** Rules of the whole object, in CEL. */
  readonly rules?: readonly ValidationRule[];
  readonly subresources?: DefinitionVersion['subresources'];
  readonly columns?: readonly PrinterColumn[];
  /** All served versions. The stored one is that of the kind, as declared above. */
  readonly versions: Readonly<Record<string, VersionDifference>>;
}

/** The differences of a version; `{}` if only its name differs. */
export interface VersionDifference extends SchemaDifference {
  readonly columns?: readonly PrinterColumn[];
}

export function defineVersions(kind: Kind, declared: KindInVersions): CustomResourceDefinition {
  const { versions, columns, subresources, description, fields, rules, ...names } = declared;
  const definition = defineKind({
    ...names,
    group: kind.group,
    kind: kind.kind,
    plural: kind.plural,
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    versions: Object.entries(versions).map(([name, difference]) => ({
      name,
      description,
      fields,
      storage: name === kind.version,
      ...(rules && { rules }),
      ...(subresources && { subresources }),
      ...columnsOf(difference.columns ?? columns),
    })),
  });
  for (const version of definition.spec.versions) applyDifference(version, versions[version.name]);
  return definition;
}

function columnsOf(columns: readonly PrinterColumn[] = []): Pick<DefinitionVersion, 'additionalPrinterColumns'> {
  return columns.length > 0 ? { additionalPrinterColumns: [...columns] } : {};
}

function applyDifference(version: DefinitionVersion, difference: SchemaDifference = {}): void {
  const schema = version.schema?.openAPIV3Schema;
  if (schema) version.schema = { openAPIV3Schema: differentSchema(schema, difference) };
}
