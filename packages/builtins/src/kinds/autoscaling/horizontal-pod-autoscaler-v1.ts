import { nameIsDnsSubdomain, type KubeObject } from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';
import { autoscalerColumns } from './autoscaler-columns.ts';
import { autoscalerToV1, autoscalerToV2 } from './autoscaler-conversion.ts';
import { horizontalPodAutoscalerKind as v2 } from './horizontal-pod-autoscaler.ts';

/** The old version is a view of the new one: all its rules are those of v2, on the converted object. */
export const horizontalPodAutoscalerV1Kind: KindBehavior = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'HorizontalPodAutoscaler',
  nameRule: nameIsDnsSubdomain,
  setDefaults: (object) => throughV2(object, (converted) => v2.setDefaults?.(converted)),
  prepareForCreate(object, context) {
    throughV2(object, (converted) => v2.prepareForCreate?.(converted, context));
  },
  prepareForUpdate(object, old, context) {
    throughV2(object, (converted) => v2.prepareForUpdate?.(converted, autoscalerToV2(old), context));
  },
  validate: (object, context) => v2.validate?.(autoscalerToV2(object), context) ?? [],
  validateUpdate: (object, old, context) =>
    v2.validateUpdate?.(autoscalerToV2(object), autoscalerToV2(old), context) ?? [],
  subresources: {
    status: {
      prepareForUpdate(object, old, context) {
        const prepare = v2.subresources?.['status']?.prepareForUpdate;
        throughV2(object, (converted) => prepare?.(converted, autoscalerToV2(old), context));
      },
      validateUpdate: (object, old, context) =>
        v2.subresources?.['status']?.validateUpdate?.(autoscalerToV2(object), autoscalerToV2(old), context) ?? [],
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: autoscalerColumns.definitions,
    cells: (object, now) => autoscalerColumns.cells(autoscalerToV2(object), now),
  },
  resetFields: [['status']],
};

/** Lets v2 edit the object, and writes what came out back into it: the metadata stays the object it is. */
function throughV2(object: KubeObject, edit: (converted: KubeObject) => void): void {
  const converted = autoscalerToV2(object);
  edit(converted);
  const { metadata, spec, status } = autoscalerToV1(converted);
  Object.assign(object, { spec, status });
  if (metadata.annotations === undefined) delete object.metadata.annotations;
  else object.metadata.annotations = metadata.annotations;
}
