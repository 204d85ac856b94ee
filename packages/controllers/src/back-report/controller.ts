import {
  clusterFamily,
  namespacedFamily,
  memberNamespace,
  placementLabel,
  works,
  type PlacedResource,
  type Placement,
  type Work,
} from '@flotilla/api';
import type { DiscoveredKind } from '@flotilla/client';
import {
  customResourceDefinitions,
  jsonEquals,
  type GroupVersionKind,
  type JsonValue,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import { indexByLabel, itself, type Cache, type Controller, type Watched } from '@flotilla/runtime';
import { memberIn, placementOfWork } from '../works/work-names.ts';
import { reportsToOriginals } from './back-report-problem.ts';
import { decideBackReport, type BackReportState } from './decide.ts';
import { isWritable } from './writable-kinds.ts';

/** Undefined if the hub does not serve the kind. */
export type ServedKind = (kind: GroupVersionKind) => DiscoveredKind | undefined;

/** Reports the status of placed objects to the objects on the hub that they were placed from, where a placement asks for that. */
export function backReportController(servedKind: ServedKind): Controller<BackReportState> {
  const ofPlacement = { concerns: itsWorks };
  return {
    name: 'status-back-reporter',
    workers: 4,
    watches: [
      {
        kind: works,
        concerns: itselfIfReported,
        // A reconcile reads the Work, and ends if its placement asks for no reports.
        existing: ({ key }) => [key],
        indexes: indexByLabel(placementLabel),
      },
      { kind: clusterFamily.placement, ...ofPlacement },
      { kind: namespacedFamily.placement, ...ofPlacement },
      { kind: customResourceDefinitions, concerns: () => [], metadataOnly: true },
    ],
    observe: (key, cache) => observeReport(key, cache, servedKind),
    decide: decideBackReport,
  };
}

function observeReport(key: ObjectKey, cache: Cache, servedKind: ServedKind): BackReportState | undefined {
  const work = cache.get(works, key);
  const member = memberIn(key.namespace);
  if (work === undefined || member === undefined || !isReporting(work)) return undefined;
  const placementKey = placementOfWork(work);
  const placement = placementKey && cache.get(familyOf(placementKey).placement, placementKey);
  if (placement === undefined) return undefined;
  return { work, member, placement, writableKind: (resource) => writableKind(resource, cache, servedKind) };
}

function familyOf({ namespace = '' }: ObjectKey): typeof clusterFamily {
  return namespace === '' ? clusterFamily : namespacedFamily;
}

function writableKind(
  { group = '', version, kind }: PlacedResource,
  cache: Cache,
  servedKind: ServedKind,
): DiscoveredKind | undefined {
  const served = servedKind({ group, version, kind });
  if (served === undefined) return undefined;
  const definition = cache.get(customResourceDefinitions, { name: `${served.plural}.${group}` });
  return isWritable(served, definition !== undefined) ? served : undefined;
}

/** The strategy is the placement's: the works controller copies it. */
function isReporting({ spec }: Readonly<Work>): boolean {
  const { type, destination } = spec?.reportBackStrategy ?? {};
  return type === 'Mirror' && destination === 'OriginalResource';
}

/** Agents write the same status again and again, with another time of observation. */
const itselfIfReported: Watched['concerns'] = (now, old) => {
  if (now === undefined || !isReporting(now)) return [];
  return old !== undefined && jsonEquals(reportIn(now), reportIn(old)) ? [] : itself(now, old);
};

function reportIn({ metadata, spec, status }: Work): JsonValue {
  const { conditions = [], manifestConditions = [] } = status ?? {};
  return [
    metadata.generation ?? 0,
    metadata.deletionTimestamp ?? '',
    spec?.reportBackStrategy ?? {},
    conditions.map(({ type, status: is, observedGeneration = 0 }) => [type, is, observedGeneration]),
    manifestConditions.map(({ identifier, backReportedStatus }) => [
      identifier,
      backReportedStatus?.observedStatus ?? {},
    ]),
  ];
}

/** Works may report before the status of their placement says what was selected, and where. */
const itsWorks: Watched['concerns'] = (now, old, cache) => {
  const placement = now as Placement | undefined;
  if (placement === undefined || !reportsToOriginals(placement.spec)) return [];
  if (old !== undefined && jsonEquals(choiceIn(placement), choiceIn(old as Placement))) return [];
  const clusters = placement.status?.placementStatuses ?? [];
  return clusters.flatMap(({ clusterName = '' }) => worksOn(clusterName, placement, cache));
};

function choiceIn({ spec, status }: Placement): JsonValue {
  const clusters = (status?.placementStatuses ?? []).map(({ clusterName = '' }) => clusterName);
  return [spec.policy ?? {}, spec.strategy ?? {}, status?.selectedResources ?? [], clusters];
}

function worksOn(cluster: string, { metadata }: Readonly<KubeObject>, cache: Cache): ObjectKey[] {
  const { namespace = '', name = '' } = metadata;
  const labels = { [placementLabel]: name };
  const candidates = cache.list(works, { namespace: memberNamespace(cluster), labels });
  return candidates
    .filter((work) => (placementOfWork(work)?.namespace ?? '') === namespace)
    .flatMap((work) => itself(work, undefined));
}
