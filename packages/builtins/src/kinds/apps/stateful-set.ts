import { nameIsDnsLabel, pushAll, type FieldError, type KubeObject } from '@flotilla/kube';
import { age } from '../../columns/age.ts';
import { ageColumn, column, nameColumn } from '../../columns/column-definition.ts';
import { containerImages, containerNames, wideContainersColumn, wideImagesColumn } from '../../columns/containers.ts';
import type { KindBehavior } from '../../kind.ts';
import { carryOver } from '../carried-over.ts';
import { claimWarnings } from '../core-pods/fraction-warnings.ts';
import { dropGatedTemplateFields } from '../core-pods/gated-fields.ts';
import { setTemplateDefaultsOf } from '../core-pods/pod-defaults.ts';
import { templateWarnings } from '../core-pods/pod-warnings.ts';
import { setClaimSpecDefaults } from '../core-pods/volume-defaults.ts';
import { semanticEqual } from '../semantic-equal.ts';
import { bumpGenerationIf, startGeneration } from '../generation.ts';
import { checkCollisionCount, checkCounts, checkParts } from './replicas.ts';
import type { StatefulSetFields, StatefulSetSpec } from './stateful-set-fields.ts';
import { checkStatefulSetChange, checkStatefulSetSpec } from './stateful-set-validation.ts';

export const statefulSetKind: KindBehavior = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  setDefaults,
  prepareForCreate(object) {
    object['status'] = { replicas: 0, availableReplicas: 0 };
    startGeneration(object);
    dropGated((object as StatefulSetFields).spec);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    dropGated((object as StatefulSetFields).spec);
    bumpGenerationIf(!semanticEqual(object['spec'], old['spec']), object, old);
  },
  validate(object) {
    const errors: FieldError[] = [];
    checkStatefulSetSpec(errors, (object as StatefulSetFields).spec, true);
    return errors;
  },
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    const { spec } = object as StatefulSetFields;
    checkStatefulSetSpec(errors, spec, false);
    checkStatefulSetChange(errors, spec, (old as StatefulSetFields).spec);
    return errors;
  },
  warnings(object, old) {
    const { template, volumeClaimTemplates = [], revisionHistoryLimit = 0 } = (object as StatefulSetFields).spec;
    const isSame = old !== undefined && object.metadata.generation === old.metadata.generation;
    const warnings = isSame ? [] : templateWarnings('spec.template', template);
    volumeClaimTemplates.forEach(({ spec }, i) => {
      // Kubernetes names the claim on create, and its spec on update.
      const field = `spec.volumeClaimTemplates[${i}]`;
      pushAll(warnings, claimWarnings(old === undefined ? field : `${field}.Spec`, spec));
    });
    if (revisionHistoryLimit >= 0) return warnings;
    const effect = 'a negative value retains all historical revisions; a value >= 0 is recommended';
    return [...warnings, `spec.revisionHistoryLimit: ${effect}`];
  },
  nameRule: nameIsDnsLabel,
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      validateUpdate: (object, old) => validateStatus(object as StatefulSetFields, old as StatefulSetFields),
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Ready', 'string', 'How many pods are ready, of how many that are wanted.'),
      ageColumn,
      wideContainersColumn,
      wideImagesColumn,
    ],
    cells(object, now) {
      const { metadata, spec, status = {} } = object as StatefulSetFields;
      const containers = spec.template.spec.containers ?? undefined;
      const ready = `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`;
      return [metadata.name ?? '', ready, age(object, now), containerNames(containers), containerImages(containers)];
    },
  },
  resetFields: [['status']],
};

function setDefaults(object: KubeObject): void {
  const spec = ((object as StatefulSetFields).spec ??= {} as StatefulSetSpec);
  spec.podManagementPolicy ||= 'OrderedReady';
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate !== undefined) strategy.rollingUpdate.partition ??= 0;
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  setTemplateDefaultsOf(spec);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion = 'v1';
    claim.kind = 'PersistentVolumeClaim';
    (claim.status ??= {}).phase ||= 'Pending';
    setClaimSpecDefaults((claim.spec ??= {}));
  }
}

/** How many pods may be missing during an update is a feature that is off. */
function dropGated({ updateStrategy, template }: StatefulSetSpec): void {
  delete updateStrategy?.rollingUpdate?.maxUnavailable;
  dropGatedTemplateFields(template);
}

function validateStatus({ status = {} }: StatefulSetFields, { status: old = {} }: StatefulSetFields): FieldError[] {
  const errors: FieldError[] = [];
  checkCounts(errors, status, [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ]);
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
  checkParts(errors, status, parts, 'replicas', 'status.replicas');
  checkParts(errors, status, ['availableReplicas'], 'readyReplicas', 'status.readyReplicas');
  checkCollisionCount(errors, status, old);
  return errors;
}
