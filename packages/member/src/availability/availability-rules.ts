/** When objects of a kind are available. Kinds that are not in the table cannot be tracked. */
import type { JsonObject } from '@flotilla/kube';
import { integerField, objectField, objectsField, optionalInteger, textField, textsField } from './typed-fields.ts';

export type Trackable = 'Available' | 'ManifestNotAvailableYet';

/** Throws a FieldTypeError if a field has the wrong type. */
export type AvailabilityRule = (object: JsonObject) => Trackable | 'NotTrackable';

/** By `GROUP/VERSION/RESOURCE`. `at-once` is for data, which is available once it is stored. */
export const availabilityRules: ReadonlyMap<string, AvailabilityRule | 'at-once'> = new Map<
  string,
  AvailabilityRule | 'at-once'
>([
  ['apps/v1/deployments', deployment],
  ['apps/v1/statefulsets', statefulSet],
  ['apps/v1/daemonsets', daemonSet],
  ['v1/services', service],
  ['apiextensions.k8s.io/v1/customresourcedefinitions', definition],
  ['policy/v1/poddisruptionbudgets', disruptionBudget],
  ['v1/namespaces', 'at-once'],
  ['v1/secrets', 'at-once'],
  ['v1/configmaps', 'at-once'],
  ['v1/serviceaccounts', 'at-once'],
  ['v1/limitranges', 'at-once'],
  ['v1/resourcequotas', 'at-once'],
  ['rbac.authorization.k8s.io/v1/roles', 'at-once'],
  ['rbac.authorization.k8s.io/v1/clusterroles', 'at-once'],
  ['rbac.authorization.k8s.io/v1/rolebindings', 'at-once'],
  ['rbac.authorization.k8s.io/v1/clusterrolebindings', 'at-once'],
  ['networking.k8s.io/v1/networkpolicies', 'at-once'],
  ['networking.k8s.io/v1/ingressclasses', 'at-once'],
  ['storage.k8s.io/v1/csidrivers', 'at-once'],
  ['storage.k8s.io/v1/csinodes', 'at-once'],
  ['storage.k8s.io/v1/storageclasses', 'at-once'],
  ['storage.k8s.io/v1/csistoragecapacities', 'at-once'],
  ['apps/v1/controllerrevisions', 'at-once'],
  ['scheduling.k8s.io/v1/priorityclasses', 'at-once'],
]);

/** Opt-in, because a Job has no readiness of its own. */
export function jobRule(object: JsonObject): Trackable {
  const status = objectField(object, 'status');
  return availableWhen(integerField(status, 'succeeded') > 0 || integerField(status, 'ready') > 0);
}

function deployment(object: JsonObject): Trackable {
  const status = objectField(object, 'status');
  const wanted = wantedReplicas(object);
  return availableWhen(
    isAboutThisGeneration(object, status) &&
      integerField(status, 'availableReplicas') === wanted &&
      integerField(status, 'updatedReplicas') === wanted &&
      integerField(status, 'unavailableReplicas') === 0,
  );
}

function statefulSet(object: JsonObject): Trackable {
  const status = objectField(object, 'status');
  return availableWhen(
    isAboutThisGeneration(object, status) &&
      integerField(status, 'availableReplicas') === wantedReplicas(object) &&
      integerField(status, 'currentReplicas') === integerField(status, 'updatedReplicas') &&
      textField(status, 'currentRevision') === textField(status, 'updateRevision'),
  );
}

function daemonSet(object: JsonObject): Trackable {
  const status = objectField(object, 'status');
  return availableWhen(
    isAboutThisGeneration(object, status) &&
      integerField(status, 'numberAvailable') === integerField(status, 'desiredNumberScheduled') &&
      integerField(status, 'currentNumberScheduled') === integerField(status, 'updatedNumberScheduled'),
  );
}

function service(object: JsonObject): Trackable | 'NotTrackable' {
  const spec = objectField(object, 'spec');
  switch (textField(spec, 'type')) {
    case '':
    case 'ClusterIP':
    case 'NodePort': {
      const [first = ''] = textsField(spec, 'clusterIPs');
      return availableWhen(first !== '');
    }
    case 'LoadBalancer': {
      const balancer = objectField(objectField(object, 'status'), 'loadBalancer');
      const [first = {}] = objectsField(balancer, 'ingress');
      return availableWhen(textField(first, 'ip') !== '' || textField(first, 'hostname') !== '');
    }
    default:
      return 'NotTrackable';
  }
}

function definition(object: JsonObject): Trackable {
  const isTrue = (type: string): boolean => textField(conditionOf(object, type) ?? {}, 'status') === 'True';
  return availableWhen(isTrue('Established') && isTrue('NamesAccepted'));
}

/** The DisruptionAllowed condition must agree with disruptionsAllowed. */
function disruptionBudget(object: JsonObject): Trackable {
  const status = objectField(object, 'status');
  const condition = conditionOf(object, 'DisruptionAllowed');
  const isAllowed = integerField(status, 'disruptionsAllowed') > 0;
  return availableWhen(
    condition !== undefined &&
      isAboutThisGeneration(object, status) &&
      textField(condition, 'status') === (isAllowed ? 'True' : 'False') &&
      textField(condition, 'reason') === (isAllowed ? 'SufficientPods' : 'InsufficientPods'),
  );
}

function availableWhen(isAvailable: boolean): Trackable {
  return isAvailable ? 'Available' : 'ManifestNotAvailableYet';
}

function isAboutThisGeneration(object: JsonObject, status: JsonObject): boolean {
  return integerField(status, 'observedGeneration') === integerField(objectField(object, 'metadata'), 'generation');
}

function wantedReplicas(object: JsonObject): number {
  return optionalInteger(objectField(object, 'spec'), 'replicas') ?? 1;
}

function conditionOf(object: JsonObject, type: string): JsonObject | undefined {
  const conditions = objectsField(objectField(object, 'status'), 'conditions');
  return conditions.find((condition) => textField(condition, 'type') === type);
}
