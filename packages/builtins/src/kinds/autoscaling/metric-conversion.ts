/** Metrics in the old words that v1 keeps in annotations, and in those of v2. */
import type { JsonObject, JsonValue } from '@flotilla/kube';
import { isJsonObject, parseQuantity, QuantityError } from '@flotilla/kube';
import type {
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValue,
  ScaleTarget,
} from './autoscaler-fields.ts';
import { present } from './present-fields.ts';

/** v1 has amounts where v2 has none. */
const none = '0';

export function oldMetric({ type, object, pods, resource, containerResource, external }: MetricSpec): JsonObject {
  return present({
    type,
    object: object && {
      target: oldReference(object.describedObject),
      metricName: object.metric.name,
      targetValue: object.target.value ?? none,
      ...present({ selector: object.metric.selector, averageValue: object.target.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? none,
      ...present({ selector: pods.metric.selector }),
    },
    resource: resource && { name: resource.name, ...oldShare(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...oldShare(containerResource.target),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      ...present({
        metricSelector: external.metric.selector,
        targetValue: external.target.value,
        targetAverageValue: external.target.averageValue,
      }),
    },
  });
}

export function oldMetricStatus(status: MetricStatus): JsonObject {
  const { type, object, pods, resource, containerResource, external } = status;
  return present({
    type,
    object: object && {
      target: oldReference(object.describedObject),
      metricName: object.metric.name,
      currentValue: object.current.value ?? none,
      ...present({ selector: object.metric.selector, averageValue: object.current.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? none,
      ...present({ selector: pods.metric.selector }),
    },
    resource: resource && { name: resource.name, ...oldCurrentShare(resource.current) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...oldCurrentShare(containerResource.current),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      ...present({ metricSelector: external.metric.selector }),
      currentValue: external.current.value ?? none,
      ...present({ currentAverageValue: external.current.averageValue }),
    },
  });
}

/** Annotations come from users: what does not fit is read as Go reads an absent field. */
export function newMetric(old: JsonObject): MetricSpec {
  const [object, pods, resource, container, external] = sources(old);
  return present({
    type: text(old['type']),
    object: object && {
      describedObject: newReference(object['target']),
      target: objectTarget(object),
      metric: identifier(object, 'selector'),
    },
    pods: pods && {
      metric: identifier(pods, 'selector'),
      target: { type: 'AverageValue', averageValue: amount(pods['targetAverageValue']) ?? none },
    },
    resource: resource && { name: text(resource['name']), target: shareTarget(resource) },
    containerResource: container && {
      name: text(container['name']),
      target: shareTarget(container),
      container: text(container['container']),
    },
    external: external && { metric: identifier(external, 'metricSelector'), target: externalTarget(external) },
  }) as MetricSpec;
}

export function newMetricStatus(old: JsonObject): MetricStatus {
  const [object, pods, resource, container, external] = sources(old);
  return present({
    type: text(old['type']),
    object: object && {
      metric: identifier(object, 'selector'),
      current: {
        value: amount(object['currentValue']) ?? none,
        ...present({ averageValue: amount(object['averageValue']) }),
      },
      describedObject: newReference(object['target']),
    },
    pods: pods && {
      metric: identifier(pods, 'selector'),
      current: { averageValue: amount(pods['currentAverageValue']) ?? none },
    },
    resource: resource && { name: text(resource['name']), current: currentShare(resource) },
    containerResource: container && {
      name: text(container['name']),
      current: currentShare(container),
      container: text(container['container']),
    },
    external: external && {
      metric: identifier(external, 'metricSelector'),
      current: {
        value: amount(external['currentValue']) ?? none,
        ...present({ averageValue: amount(external['currentAverageValue']) }),
      },
    },
  }) as MetricStatus;
}

function sources(old: JsonObject): (JsonObject | undefined)[] {
  return ['object', 'pods', 'resource', 'containerResource', 'external'].map((name) => {
    const source = old[name];
    return isJsonObject(source) ? source : undefined;
  });
}

function oldReference({ kind, name, apiVersion }: ScaleTarget): JsonObject {
  return { kind, name, ...present({ apiVersion }) };
}

function newReference(value: JsonValue | undefined): ScaleTarget {
  const { kind, name, apiVersion } = isJsonObject(value) ? value : {};
  return { kind: text(kind), name: text(name), ...(text(apiVersion) === '' ? {} : { apiVersion: text(apiVersion) }) };
}

function identifier(source: JsonObject, selectorField: string): MetricIdentifier {
  const selector = source[selectorField];
  return { name: text(source['metricName']), ...(isJsonObject(selector) ? { selector } : {}) };
}

function oldShare({ averageUtilization, averageValue }: MetricTarget): JsonObject {
  return present({ targetAverageUtilization: averageUtilization, targetAverageValue: averageValue });
}

function oldCurrentShare({ averageUtilization, averageValue }: MetricValue): JsonObject {
  return { ...present({ currentAverageUtilization: averageUtilization }), currentAverageValue: averageValue ?? none };
}

function shareTarget(source: JsonObject): MetricTarget {
  const averageUtilization = count(source['targetAverageUtilization']);
  const averageValue = amount(source['targetAverageValue']);
  const type = averageUtilization === undefined ? 'AverageValue' : 'Utilization';
  return { type, ...present({ averageValue, averageUtilization }) };
}

function currentShare(source: JsonObject): MetricValue {
  return {
    averageValue: amount(source['currentAverageValue']) ?? none,
    ...present({ averageUtilization: count(source['currentAverageUtilization']) }),
  };
}

function objectTarget(source: JsonObject): MetricTarget {
  const value = amount(source['targetValue']) ?? none;
  const averageValue = amount(source['averageValue']);
  if (averageValue === undefined) return { type: 'Value', value };
  // v1 cannot leave the value out: a zero there is none.
  return { type: 'AverageValue', ...(parseQuantity(value).sign === 0 ? {} : { value }), averageValue };
}

function externalTarget(source: JsonObject): MetricTarget {
  const value = amount(source['targetValue']);
  const averageValue = amount(source['targetAverageValue']);
  return { type: value === undefined ? 'AverageValue' : 'Value', ...present({ value, averageValue }) };
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function amount(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  try {
    return parseQuantity(String(value)).toString();
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
