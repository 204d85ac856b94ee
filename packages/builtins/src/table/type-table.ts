import type { GroupVersionKind } from '@flotilla/kube';
import { apiVersionOf } from '@flotilla/kube';
import generated from '../generated/table.json' with { type: 'json' };
import type { GoType } from './go-type.ts';
import { StructType } from './struct-type.ts';
import { namedType } from './type-text.ts';

interface PackageText {
  /** Empty for packages without kinds, and for meta/v1, which belongs to every group. */
  readonly apiVersion: string;
  readonly kinds: string;
  readonly types: Readonly<Record<string, string>>;
}

/** Packages by alias: `core/v1`, `meta/v1`, `resource`. */
const packages = generated as Readonly<Record<string, PackageText>>;

/** Import paths of Go packages outside `k8s.io/api`; OpenAPI model names contain the whole path. */
const modelPrefixes: Readonly<Record<string, string>> = {
  'apiextensions/v1': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  'apiregistration/v1': 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
  'meta/v1': 'io.k8s.apimachinery.pkg.apis.meta.v1',
  'meta/v1beta1': 'io.k8s.apimachinery.pkg.apis.meta.v1beta1',
  intstr: 'io.k8s.apimachinery.pkg.util.intstr',
  resource: 'io.k8s.apimachinery.pkg.api.resource',
  runtime: 'io.k8s.apimachinery.pkg.runtime',
  version: 'io.k8s.apimachinery.pkg.version',
};

const metaV1 = 'meta/v1';

const aliasByApiVersion = new Map(
  Object.entries(packages).flatMap(([alias, { apiVersion }]) => (apiVersion === '' ? [] : [[apiVersion, alias]])),
);
const known = new Map<string, GoType>();
const kindsByAlias = new Map<string, ReadonlySet<string>>();

/**
 * The type of a built-in kind in any version of Kubernetes' published API, served or not. Kinds of `meta/v1`
 * (DeleteOptions, Status, WatchEvent…) exist in every group.
 */
export function typeOfKind({ group, version, kind }: GroupVersionKind): StructType | undefined {
  const alias = aliasByApiVersion.get(apiVersionOf({ group, version }));
  return (alias === undefined ? undefined : kindIn(alias, kind)) ?? kindIn(metaV1, kind);
}

/** A struct by package alias and name: `structType('meta/v1', 'ObjectMeta')`. */
export function structType(alias: string, name: string): StructType {
  const type = typeIn(alias, name);
  if (!(type instanceof StructType)) throw new Error(`${alias}.${name} is not a struct`);
  return type;
}

export function kindsOf(apiVersion: string): readonly string[] {
  const alias = aliasByApiVersion.get(apiVersion);
  return alias === undefined ? [] : [...kindsIn(alias)];
}

/** Every apiVersion with built-in kinds, served or not. */
export function knownApiVersions(): readonly string[] {
  return [...aliasByApiVersion.keys()];
}

function kindIn(alias: string, kind: string): StructType | undefined {
  return kindsIn(alias).has(kind) ? structType(alias, kind) : undefined;
}

function kindsIn(alias: string): ReadonlySet<string> {
  let kinds = kindsByAlias.get(alias);
  if (kinds === undefined) {
    const text = packages[alias]?.kinds ?? '';
    kinds = new Set(text === '' ? [] : text.split(' '));
    kindsByAlias.set(alias, kinds);
  }
  return kinds;
}

function typeIn(alias: string, name: string): GoType {
  const key = `${alias}.${name}`;
  const seen = known.get(key);
  if (seen !== undefined) return seen;
  const source = packages[alias];
  if (source === undefined || !Object.hasOwn(source.types, name)) throw new Error(`the field table has no type ${key}`);
  const type = namedType(
    {
      name,
      goName: `${goPackageOf(alias)}.${name}`,
      modelName: `${modelPrefixes[alias] ?? `io.k8s.api.${alias.replace('/', '.')}`}.${name}`,
      apiVersion: source.apiVersion === '' ? undefined : source.apiVersion,
      isKind: kindsIn(alias).has(name),
      text: source.types[name] ?? '',
    },
    { named: (reference) => referred(reference, alias) },
  );
  known.set(key, type);
  return type;
}

/** `ObjectMeta` of the same package, or `meta/v1.ObjectMeta`. */
function referred(reference: string, alias: string): GoType {
  const dot = reference.lastIndexOf('.');
  return dot < 0 ? typeIn(alias, reference) : typeIn(reference.slice(0, dot), reference.slice(dot + 1));
}

function goPackageOf(alias: string): string {
  return alias.slice(alias.lastIndexOf('/') + 1);
}
