/** Converts metrics: version 1 has them flat and in annotations, version 2 nests target, value and metric. */
import type { JsonObject, JsonValue } from '@flotilla/kube';

/** The value of `resource`, `pods` and so on in one of the two versions; both have the same such fields. */
type Part = JsonObject;
type PartConversion = (part: Part) => Part;

type PartConversions = Readonly<Record<string, PartConversion>>;

/** Converts the parts of a metric. Decoding later drops fields that the version does not have. */
function converted(metric: JsonObject, conversions: PartConversions): JsonObject {
  const result: JsonObject = { type: metric['type'] ?? '' };
  for (const [name, convert] of Object.entries(conversions)) {
    const part = metric[name];
    if (part !== undefined && part !== null) result[name] = convert(part as Part);
  }
  return result;
}

export function specToV1(metric: JsonObject): JsonObject {
  return converted(metric, specsToV1);
}

export function specToV2(metric: JsonObject): JsonObject {
  return converted(metric, specsToV2);
}

export function statusToV1(metric: JsonObject): JsonObject {
  return converted(metric, statusesToV1);
}

export function statusToV2(metric: JsonObject): JsonObject {
  return converted(metric, statusesToV2);
}

/** Version 1 has `targetValue` or `currentValue` where version 2 has a value in `target` or `current`. */
function partsToV1(side: 'target' | 'current'): PartConversions {
  const resource: PartConversion = (part) => ({
    name: field(part, 'name'),
    [`${side}AverageUtilization`]: amountsIn(part, side).averageUtilization,
    [`${side}AverageValue`]: amountsIn(part, side).averageValue,
    container: field(part, 'container'),
  });
  return {
    object: (part) => ({
      target: field(part, 'describedObject'),
      metricName: metricOf(part).name,
      [`${side}Value`]: amountsIn(part, side).value,
      selector: metricOf(part).selector,
      averageValue: amountsIn(part, side).averageValue,
    }),
    pods: (part) => ({
      metricName: metricOf(part).name,
      [`${side}AverageValue`]: amountsIn(part, side).averageValue,
      selector: metricOf(part).selector,
    }),
    resource,
    containerResource: resource,
    external: (part) => ({
      metricName: metricOf(part).name,
      metricSelector: metricOf(part).selector,
      [`${side}Value`]: amountsIn(part, side).value,
      [`${side}AverageValue`]: amountsIn(part, side).averageValue,
    }),
  };
}

const specsToV1 = partsToV1('target');
const statusesToV1 = partsToV1('current');

const specsToV2: PartConversions = {
  object: (part) => ({
    describedObject: field(part, 'target'),
    target: objectTarget(field(part, 'targetValue'), field(part, 'averageValue')),
    metric: { name: field(part, 'metricName'), selector: field(part, 'selector') },
  }),
  pods: (part) => ({
    metric: { name: field(part, 'metricName'), selector: field(part, 'selector') },
    target: { type: 'AverageValue', averageValue: field(part, 'targetAverageValue') },
  }),
  resource: resourceSpecToV2,
  containerResource: resourceSpecToV2,
  external: (part) => ({
    metric: { name: field(part, 'metricName'), selector: field(part, 'metricSelector') },
    target: {
      type: field(part, 'targetValue') === null ? 'AverageValue' : 'Value',
      value: field(part, 'targetValue'),
      averageValue: field(part, 'targetAverageValue'),
    },
  }),
};

/** Version 1 cannot omit the value: a zero beside an average means that there was none. */
function objectTarget(value: JsonValue, averageValue: JsonValue): JsonObject {
  if (averageValue === null) return { type: 'Value', value };
  return { type: 'AverageValue', value: value === '0' ? null : value, averageValue };
}

function resourceSpecToV2(part: Part): Part {
  const averageUtilization = field(part, 'targetAverageUtilization');
  return {
    name: field(part, 'name'),
    target: {
      type: averageUtilization === null ? 'AverageValue' : 'Utilization',
      averageValue: field(part, 'targetAverageValue'),
      averageUtilization,
    },
    container: field(part, 'container'),
  };
}

const statusesToV2: PartConversions = {
  object: (part) => ({
    metric: { name: field(part, 'metricName'), selector: field(part, 'selector') },
    current: { value: field(part, 'currentValue'), averageValue: field(part, 'averageValue') },
    describedObject: field(part, 'target'),
  }),
  pods: (part) => ({
    metric: { name: field(part, 'metricName'), selector: field(part, 'selector') },
    current: { averageValue: field(part, 'currentAverageValue') },
  }),
  resource: resourceStatusToV2,
  containerResource: resourceStatusToV2,
  external: (part) => ({
    metric: { name: field(part, 'metricName'), selector: field(part, 'metricSelector') },
    current: { value: field(part, 'currentValue'), averageValue: field(part, 'currentAverageValue') },
  }),
};

function resourceStatusToV2(part: Part): Part {
  return {
    name: field(part, 'name'),
    current: {
      averageValue: field(part, 'currentAverageValue'),
      averageUtilization: field(part, 'currentAverageUtilization'),
    },
    container: field(part, 'container'),
  };
}

interface Amounts {
  readonly value: JsonValue;
  readonly averageValue: JsonValue;
  readonly averageUtilization: JsonValue;
}

function amountsIn(part: Part, side: 'target' | 'current'): Amounts {
  const amounts = part[side] as JsonObject;
  return {
    value: field(amounts, 'value'),
    averageValue: field(amounts, 'averageValue'),
    averageUtilization: field(amounts, 'averageUtilization'),
  };
}

function metricOf(part: Part): { readonly name: JsonValue; readonly selector: JsonValue } {
  const metric = part['metric'] as JsonObject;
  return { name: field(metric, 'name'), selector: field(metric, 'selector') };
}

/** Null if the field is absent: decoding treats both alike. */
function field(part: Part, name: string): JsonValue {
  return part[name] ?? null;
}
