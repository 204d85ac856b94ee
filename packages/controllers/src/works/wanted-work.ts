/** A Work as it must be, and whether an existing one is that already. */
import {
  bindingLabel,
  clusterOverrideSnapshotHashAnnotation,
  envelopeNameLabel,
  envelopeNamespaceLabel,
  envelopeTypeLabel,
  overrideSnapshotHashAnnotation,
  placementApi,
  placementLabel,
  placementNamespaceLabel,
  resourceSnapshotIndexLabel,
  resourceSnapshotNameAnnotation,
  workFinalizer,
  type ApplyStrategy,
  type Binding,
  type BindingSpec,
  type ReportBackStrategy,
  type Work,
  type WorkSpec,
} from '@flotilla/api';
import { apiVersionOf, jsonEquals, type JsonObject, type ObjectMeta } from '@flotilla/kube';
import { goHash, type GoListOf } from '../family/go-hash.ts';
import type { RenderedWork } from './rendered-group.ts';
import { workNamespaceOf } from './work-names.ts';
import type { WorksState } from './works-state.ts';

type Texts = Readonly<Record<string, string>>;

/** The parts that are the same for all Works of a binding. */
export interface WorkContext {
  readonly binding: Readonly<Binding>;
  readonly annotations: Texts;
  readonly applyStrategy: ApplyStrategy | undefined;
  /** Undefined to leave it as it is. */
  readonly reportBack: { readonly strategy: ReportBackStrategy | undefined } | undefined;
  /** Whether new Works have the agent's finalizer, which saves our agent a write. */
  readonly addsFinalizer: boolean;
}

const namespacedNames: GoListOf = {
  of: {
    fields: [
      { name: 'name', whenEmpty: '' },
      { name: 'namespace', whenEmpty: '' },
    ],
  },
};

export function workContext({ binding, reportBack, hasOurAgent: addsFinalizer }: WorksState): WorkContext {
  const { resourceSnapshotName, applyStrategy, resourceOverrideSnapshots, clusterResourceOverrideSnapshots } =
    binding.spec;
  const annotations = {
    [resourceSnapshotNameAnnotation]: resourceSnapshotName,
    [overrideSnapshotHashAnnotation]: hashOf(resourceOverrideSnapshots, namespacedNames),
    [clusterOverrideSnapshotHashAnnotation]: hashOf(clusterResourceOverrideSnapshots),
  };
  return {
    binding,
    annotations,
    applyStrategy,
    reportBack: reportBack && { strategy: mirroring(reportBack.strategy) },
    addsFinalizer,
  };
}

/** SHA-256 of `null`. Nearly all bindings have no overrides. */
const hashOfNone = goHash(null);

function hashOf(
  names: BindingSpec['resourceOverrideSnapshots' | 'clusterResourceOverrideSnapshots'],
  type?: GoListOf,
): string {
  return names === undefined || names.length === 0 ? hashOfNone : goHash(names, type);
}

/** A strategy that reports nothing is written as none, as KubeFleet does. */
function mirroring(strategy: ReportBackStrategy | undefined): ReportBackStrategy | undefined {
  return strategy?.type === 'Mirror' ? strategy : undefined;
}

export function newWork(wanted: RenderedWork, manifests: readonly JsonObject[], context: WorkContext): Work {
  return {
    apiVersion: apiVersionOf(placementApi),
    kind: 'Work',
    metadata: {
      namespace: workNamespaceOf(context.binding),
      name: wanted.name,
      labels: labelsOf(wanted, context),
      annotations: { ...context.annotations },
      ...(context.addsFinalizer && { finalizers: [workFinalizer] }),
    },
    spec: specOf(manifests, context, undefined),
  };
}

/** Keeps labels, annotations and finalizers of others. */
export function updatedWork(
  existing: Readonly<Work>,
  wanted: RenderedWork,
  manifests: readonly JsonObject[],
  context: WorkContext,
): Work {
  const metadata: ObjectMeta = {
    ...existing.metadata,
    labels: { ...existing.metadata.labels, ...labelsOf(wanted, context) },
    annotations: { ...existing.metadata.annotations, ...context.annotations },
  };
  return { ...withoutStatus(existing), metadata, spec: specOf(manifests, context, existing.spec) };
}

/** The same manifests with the strategies of now. */
export function withStrategies(existing: Readonly<Work>, context: WorkContext): Work {
  const { workload, ...rest } = existing.spec ?? {};
  return { ...withoutStatus(existing), spec: { ...(workload && { workload }), ...strategies(context, rest) } };
}

function withoutStatus({ status: _status, ...work }: Readonly<Work>): Work {
  return work;
}

function specOf(manifests: readonly JsonObject[], context: WorkContext, before: WorkSpec | undefined): WorkSpec {
  const workload = manifests.length === 0 ? {} : { manifests: [...manifests] };
  return { workload, ...strategies(context, before) };
}

function strategies({ applyStrategy, reportBack }: WorkContext, before: WorkSpec | undefined): WorkSpec {
  const reportBackStrategy = reportBack === undefined ? before?.reportBackStrategy : reportBack.strategy;
  return { ...(applyStrategy && { applyStrategy }), ...(reportBackStrategy && { reportBackStrategy }) };
}

function labelsOf({ index, envelope }: RenderedWork, { binding }: WorkContext): Record<string, string> {
  const { name = '', namespace, labels = {} } = binding.metadata;
  return {
    [bindingLabel]: name,
    [placementLabel]: (Object.hasOwn(labels, placementLabel) ? labels[placementLabel] : undefined) ?? '',
    [resourceSnapshotIndexLabel]: index,
    ...(namespace && { [placementNamespaceLabel]: namespace }),
    ...(envelope && { [envelopeTypeLabel]: envelope.type, [envelopeNameLabel]: envelope.name }),
    ...(envelope && envelope.namespace !== '' && { [envelopeNamespaceLabel]: envelope.namespace }),
  };
}

/** Whether the Work was made from these snapshots. Its manifests are not compared: the same snapshots give the same manifests. */
export function isFromSnapshots(work: Readonly<Work>, { index }: RenderedWork, { annotations }: WorkContext): boolean {
  const { labels = {}, annotations: existing = {} } = work.metadata;
  return (
    own(labels, resourceSnapshotIndexLabel) === index &&
    hashAnnotations.every((name) => own(existing, name) === annotations[name])
  );
}

const hashAnnotations = [overrideSnapshotHashAnnotation, clusterOverrideSnapshotHashAnnotation];

export function hasStrategies({ spec = {} }: Readonly<Work>, { applyStrategy, reportBack }: WorkContext): boolean {
  if (!isSameStrategy(spec.applyStrategy, applyStrategy)) return false;
  return (
    reportBack === undefined || jsonEquals(mirroring(spec.reportBackStrategy) ?? null, reportBack.strategy ?? null)
  );
}

/** False and absent are the same for flags. */
function isSameStrategy(a: ApplyStrategy | undefined, b: ApplyStrategy | undefined): boolean {
  return a === b || jsonEquals(normalised(a), normalised(b));
}

function normalised(strategy: ApplyStrategy | undefined): JsonObject | null {
  if (strategy === undefined) return null;
  const { allowCoOwnership, serverSideApplyConfig, ...rest } = strategy;
  return {
    ...rest,
    allowCoOwnership: allowCoOwnership ?? false,
    ...(serverSideApplyConfig && { serverSideApplyConfig: { force: serverSideApplyConfig.force ?? false } }),
  };
}

export function isOfEnvelope(work: Readonly<Work>, envelope: NonNullable<RenderedWork['envelope']>): boolean {
  const { labels = {} } = work.metadata;
  return (
    own(labels, envelopeTypeLabel) === envelope.type &&
    own(labels, envelopeNameLabel) === envelope.name &&
    (own(labels, envelopeNamespaceLabel) ?? '') === envelope.namespace
  );
}

/** Labels and annotations may have keys such as `constructor`. */
export function own(map: Texts, key: string): string | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
