import { storageVersionHash, type KindBehavior, type ServedSubresource } from '@flotilla/builtins';
import { apiVersionOf, once } from '@flotilla/kube';
import type { CustomResourceDefinition, DefinitionSpec, DefinitionVersion, JsonSchema } from '@flotilla/schema';
import { isKnownKind } from '../../resources/builtin-resource.ts';
import type { Codec, PublishedKind, Resource, StoredForm } from '../../resources/resource.ts';
import { compareVersions } from '../../resources/version-order.ts';
import { convertingByWebhook } from '../conversion/converting.ts';
import { customBehavior } from './custom-behavior.ts';
import { customCodec } from './custom-codec.ts';
import { customScale } from './custom-scale.ts';
import { customStoredForm } from './custom-stored-form.ts';
import { publishedKind, type Publishing } from './published-kind.ts';
import type { ServedDefinition } from './served-definition.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const verbsWhileTerminating = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

/** One version of a definition as a Resource. Expensive parts are created on first use. */
export function customResource(
  served: ServedDefinition,
  { spec, status, metadata }: CustomResourceDefinition,
  version: DefinitionVersion,
): Resource {
  const { group, conversion } = spec;
  const { kind, plural, singular, listKind, shortNames, categories } = status?.acceptedNames ?? spec.names;
  const gvk = { group, version: version.name, kind };
  const storage = spec.versions.find((candidate) => candidate.storage)?.name ?? version.name;
  const scale = customScale(spec, version);
  // The generation counts changes of the spec.
  const state = `${metadata.uid} ${metadata.generation} ${plural} ${kind} ${listKind}`;
  const { kind: publishedAs, listKind: listedAs = `${publishedAs}List`, plural: called } = spec.names;
  const { selectableFields } = version;
  const names = { kind: publishedAs, listKind: listedAs, plural: called, selectableFields, state };
  const parts = lazyParts(served, gvk, names);
  return {
    ...gvk,
    plural,
    singular: singular ?? kind.toLowerCase(),
    listKind: listKind ?? `${kind}List`,
    namespaced: spec.scope === 'Namespaced',
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    verbs,
    subresources: subresourcesOf(version, gvk),
    storageVersionHash: storageVersionHash(group, storage, kind),
    isStored: true,
    collection: collectionOf(group, plural),
    registryPrefix: `/registry/${group}/${plural}`,
    isUnstructured: true,
    isKnownKind,
    get behavior() {
      return parts.behavior();
    },
    get codec() {
      return parts.codec();
    },
    get storedForm() {
      return parts.storedForm();
    },
    get published() {
      return parts.published();
    },
    ...(conversion?.strategy === 'Webhook' ? convertingByWebhook(served.convert) : { toVersion: served.toVersion }),
    ...(scale && { scale }),
    ...(spec.versions.length > 1 && { equivalents: once(() => otherVersions(served, version)) }),
    definedBy: () => served,
    createRefusal: () =>
      served.isTerminating ? 'create not allowed while custom resource definition is terminating' : undefined,
    stopped: served.stopped,
    discoveryVerbs: () => (served.isEstablished ? (served.isTerminating ? verbsWhileTerminating : verbs) : undefined),
  };
}

function otherVersions(served: ServedDefinition, { name }: DefinitionVersion): Resource[] {
  const { definition } = served;
  const others = definition.spec.versions.filter((version) => version.name !== name);
  return others.map((version) => customResource(served, definition, version));
}

/** All versions share one collection. Collections of built-in kinds have no slash in their names. */
export function collectionOf(group: string, plural: string): string {
  return `${group}/${plural}`;
}

interface Parts {
  readonly behavior: () => KindBehavior;
  readonly codec: () => Codec;
  readonly storedForm: () => StoredForm;
  readonly published: () => PublishedKind;
}

function lazyParts(
  served: ServedDefinition,
  { group, version, kind }: { group: string; version: string; kind: string },
  publishing: Pick<Publishing, 'kind' | 'listKind' | 'plural' | 'selectableFields' | 'state'>,
): Parts {
  const apiVersion = apiVersionOf({ group, version });
  return {
    behavior: once(() =>
      customBehavior({
        group,
        kind,
        isNamespaced: served.definition.spec.scope === 'Namespaced',
        version: served.version(version),
        schema: served.schema(version),
        setDefaults: served.setDefaults,
        deprecation: deprecationOf(served.definition.spec, served.version(version)),
      }),
    ),
    codec: once(() => customCodec({ apiVersion, kind, schemaOf: served.schemaOf })),
    storedForm: once(() =>
      customStoredForm({
        key: `${served.state} ${version}`,
        apiVersion,
        storageApiVersion: apiVersionOf({ group, version: served.storageVersion.name }),
        storageMark: served.storageMark,
        schemaOf: served.schemaOf,
        convert: served.convert,
      }),
    ),
    published: once(() =>
      publishedKind({
        ...publishing,
        group,
        version,
        readSchema: () => schemaIn(served.read(), version),
        definition: served.entry.bytes,
      }),
    ),
  };
}

function schemaIn({ spec }: CustomResourceDefinition, version: string): JsonSchema | undefined {
  return spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
}

function subresourcesOf(
  { subresources }: DefinitionVersion,
  gvk: Omit<ServedSubresource, 'name' | 'verbs'>,
): ServedSubresource[] {
  return [
    ...(subresources?.status ? [{ ...gvk, name: 'status', verbs: subresourceVerbs }] : []),
    ...(subresources?.scale
      ? [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: subresourceVerbs }]
      : []),
  ];
}

/** The warning of every response through a deprecated version. */
function deprecationOf({ group, names, versions }: DefinitionSpec, version: DefinitionVersion): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const warning = `${group}/${version.name} ${names.kind} is deprecated`;
  const [newest] = versions
    .filter(({ name, served, deprecated }) => served && deprecated !== true && compareVersions(version.name, name) < 0)
    .map(({ name }) => name)
    .sort((a, b) => compareVersions(b, a));
  return newest === undefined ? warning : `${warning}; use ${group}/${newest} ${names.kind}`;
}
