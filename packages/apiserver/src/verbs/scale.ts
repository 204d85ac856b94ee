/** A Scale is a view of one number of a workload: reading shows it, writing goes through to the workload. */
import { scaleKind } from '@flotilla/builtins';
import {
  apiErrors,
  apiVersionOf,
  fieldPath,
  invalid,
  labelSelectorFrom,
  labelSelectorFromLabels,
  managerName,
  parentEntriesOf,
  scaleEntriesOf,
  updateManagedFields,
  type ApiResponse,
  type KubeObject,
  type LabelSelectorObject,
  type ManagedFieldsEntry,
  type ScaleParent,
} from '@flotilla/kube';
import { applyConfiguration } from '@flotilla/kube';
import { patchOptions, writeOptions, type WriteOptions } from '../http/write-options.ts';
import { builtinCodec, isKnownKind } from '../resources/builtin-resource.ts';
import { storageName } from '../resources/resource.ts';
import { readConfig } from './apply.ts';
import type { Call } from './context.ts';
import { copyObject } from './copy-object.ts';
import { groupResource, setNamespace } from './create.ts';
import { endpointOf, type Endpoint } from './endpoint.ts';
import { applyPatchType, patchTypeOf, readPatch } from './patch.ts';
import { readBytes } from './read-body.ts';
import { readObject, type ExpectedKind } from './read-object.ts';
import { objectRepresentation, objectResponse, readEntry, type ShownKind } from './represent.ts';
import { checkName } from './update.ts';
import { checkUid, updateObject } from './update-object.ts';

let scaleExpected: ExpectedKind | undefined;

function expectedScale(): ExpectedKind {
  const { group, version, kind } = scaleKind;
  scaleExpected ??= { group, version, kind, codec: builtinCodec(scaleKind), isKnownKind };
  return scaleExpected;
}

function shownScale(): ShownKind {
  const { group, kind, columns } = scaleKind;
  return { group, kind, columns, codec: expectedScale().codec };
}

export function scale(call: Call): ApiResponse | Promise<ApiResponse> {
  const { verb } = call.info;
  if (verb === 'get') return getScale(call);
  if (verb === 'update') return updateScale(call);
  if (verb === 'patch') return patchScale(call);
  throw apiErrors.methodNotAllowed();
}

function getScale(call: Call): ApiResponse {
  const { resource, info, server } = call;
  const representation = objectRepresentation(call, expectedScale().codec);
  const key = { collection: resource.collection, name: storageName(resource, info.namespace, info.name) };
  const entry = server.store.get(key);
  if (!entry) throw apiErrors.notFound(groupResource(call), info.name);
  return objectResponse(call, 200, scaleOf(call, readEntry(resource, entry.bytes)), representation, shownScale());
}

async function updateScale(call: Call): Promise<ApiResponse> {
  const options = writeOptions('UpdateOptions', call.info.query);
  const wanted = await readObject(call, expectedScale(), options.fieldValidation);
  checkName(call, wanted);
  setNamespace(call, wanted);
  return writeScale(call, options.dryRun, (old, now) => ownedScale(call, old, copyObject(wanted), options, now));
}

async function patchScale(call: Call): Promise<ApiResponse> {
  const type = patchTypeOf(call, expectedScale().codec);
  const bytes = await readBytes(call);
  const options = patchOptions(call.info.query, type === applyPatchType);
  if (type === applyPatchType) {
    const { config } = readConfig(bytes);
    return writeScale(call, options.dryRun, (live, now) => {
      const kind = scaleEndpoint(call).managed;
      const manager = managerName(options.fieldManager, '');
      const applied = applyConfiguration({ kind, live, config, manager, force: options.force, now });
      return expectedScale().codec.decode(applied).object;
    });
  }
  const change = readPatch(type, bytes, expectedScale(), options);
  return writeScale(call, options.dryRun, (old, now) => {
    const object = change(old, call.warnings);
    setNamespace(call, object);
    checkName(call, object);
    return ownedScale(call, old, object, options, now);
  });
}

type ScaleChange = (old: KubeObject, now: Date) => KubeObject;

async function writeScale(call: Call, dryRun: boolean, change: ScaleChange): Promise<ApiResponse> {
  const { resource, info } = call;
  const endpoint = endpointOf(resource, '');
  if (!endpoint) throw apiErrors.methodNotAllowed();
  const representation = objectRepresentation(call, expectedScale().codec);
  const written = await updateObject({
    call,
    endpoint: { ...endpoint, subresource: 'scale' },
    dryRun,
    mayBeUnconditional: true,
    transform: (parent, now) => {
      const scaled = change(ownedScaleOf(call, parent), now);
      checkUid(call, scaled.metadata.uid, parent.metadata.uid ?? '', dryRun);
      return withScale(call, parent, scaled);
    },
    onMissing: () => {
      throw apiErrors.notFound(groupResource(call), info.name);
    },
  });
  const parent = written.entry ? readEntry(resource, written.entry.bytes) : written.object;
  if (!parent) throw new Error('a write gave neither an entry nor an object');
  return objectResponse(call, 200, scaleOf(call, parent), representation, shownScale());
}

function ownedScale(call: Call, live: KubeObject, object: KubeObject, options: WriteOptions, now: Date): KubeObject {
  const manager = managerName(options.fieldManager, call.request.headers['user-agent'] ?? '');
  // The subresource is named in the parent's entries; to the Scale itself it is the object.
  const { managed } = scaleEndpoint(call);
  const managedFields = updateManagedFields({ kind: managed, live, object, manager, now });
  if (managedFields) object.metadata.managedFields = managedFields;
  else delete object.metadata.managedFields;
  return object;
}

function scaleEndpoint(call: Call): Pick<Endpoint, 'managed'> {
  const { codec } = expectedScale();
  return {
    managed: {
      apiVersion: apiVersionOf(scaleKind),
      kind: scaleKind.kind,
      subresource: call.info.subresource,
      blank: codec.blank,
      typeOf: codec.mergeType,
    },
  };
}

interface Workload extends KubeObject {
  spec?: { replicas?: number; selector?: LabelSelectorObject | Record<string, string> };
  status?: { replicas?: number };
}

/** The workload's Scale with the owners of its number, which a write is reckoned from but no answer shows. */
function ownedScaleOf(call: Call, parent: Workload): KubeObject {
  const scale = scaleOf(call, parent);
  const owners = scaleEntriesOf(parentOf(call), parent.metadata.managedFields ?? []);
  if (owners) scale.metadata.managedFields = owners;
  return scale;
}

/** The workload as its Scale shows it. */
function scaleOf(call: Call, parent: Workload): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  const replicas = parent.spec?.replicas ?? 0;
  const selector = selectorText(call, parent);
  return {
    kind: scaleKind.kind,
    apiVersion: apiVersionOf(scaleKind),
    metadata: {
      ...(name && { name }),
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
      ...(creationTimestamp && { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: parent.status?.replicas ?? 0, ...(selector && { selector }) },
  };
}

/** ReplicationControllers select by a plain map, the others by a selector. */
function selectorText({ resource }: Call, { spec }: Workload): string {
  return resource.kind === 'ReplicationController'
    ? labelSelectorFromLabels(spec?.selector as Record<string, string> | undefined).toString()
    : labelSelectorFrom(spec?.selector).toString();
}

function parentOf({ resource }: Call): ScaleParent {
  const replicas = fieldPath('spec', 'replicas');
  return {
    apiVersion: apiVersionOf(resource),
    replicasPath: (version) => (version === apiVersionOf(resource) ? replicas : undefined),
  };
}

/** The workload with the number, and its owners, that the Scale has now. */
function withScale(call: Call, parent: Workload, scaled: KubeObject): KubeObject {
  const { replicas = 0 } = (scaled['spec'] ?? {}) as { replicas?: number };
  checkReplicas(parent, replicas);
  const owners = parentEntriesOf(parentOf(call), parent.metadata.managedFields ?? [], entriesOf(scaled));
  const changed = copyObject(parent);
  changed.spec = { ...changed.spec, replicas };
  changed.metadata.resourceVersion = scaled.metadata.resourceVersion ?? '';
  if (owners) changed.metadata.managedFields = owners;
  else delete changed.metadata.managedFields;
  return changed;
}

function entriesOf({ metadata }: KubeObject): readonly ManagedFieldsEntry[] {
  return metadata.managedFields ?? [];
}

function checkReplicas({ metadata }: KubeObject, replicas: number): void {
  if (replicas < 0) {
    const negative = invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw apiErrors.invalid({ kind: 'Scale', group: 'autoscaling' }, metadata.name ?? '', [negative]);
  }
}
