/** Cost of ten CEL rules over an object of 50 fields, and of the rest of its validation. Runs in a process of its own. */
import { untypedAtomic, type KubeObject } from '@flotilla/kube';
import { compileSchema, type JsonSchema } from '@flotilla/schema';
import type { Measurement } from '../results/measurement.ts';
import { median } from '../results/percentiles.ts';

const rules: readonly string[] = [
  'self.minimum <= self.replicas && self.replicas <= self.maximum',
  "self.name.startsWith('ship-') && size(self.name) <= 40",
  "self.mode in ['Rolling', 'Recreate']",
  'has(self.note) ? size(self.note) < 200 : true',
  'self.ports.all(port, port.number > 0 && port.number < 65536)',
  "self.ports.exists(port, port.name == 'web')",
  "self.labels.all(key, self.labels[key] != '')",
  "!self.paused || self.mode == 'Recreate'",
  "self.name.matches('^[a-z0-9-]+$')",
  'self.weights.map(weight, weight * 2).all(weight, weight >= 0)',
];

const text: JsonSchema = { type: 'string', maxLength: 200 };
const number: JsonSchema = { type: 'integer', minimum: 0, maximum: 100_000 };
const fillers = Array.from({ length: 38 }, (_, index) => `field${index}`);

function specSchema(validations: readonly string[]): JsonSchema {
  const port: JsonSchema = { type: 'object', required: ['name', 'number'], properties: { name: text, number } };
  return {
    type: 'object',
    required: ['name', 'replicas'],
    'x-kubernetes-validations': validations.map((rule) => ({ rule })),
    properties: {
      name: { ...text, pattern: '^[a-z0-9-]+$' },
      mode: { type: 'string', enum: ['Rolling', 'Recreate'] },
      note: text,
      paused: { type: 'boolean' },
      ...Object.fromEntries(['minimum', 'maximum', 'replicas'].map((name) => [name, number])),
      ports: { type: 'array', maxItems: 10, items: port },
      labels: { type: 'object', maxProperties: 10, additionalProperties: text },
      weights: { type: 'array', maxItems: 10, items: number },
      ...Object.fromEntries(fillers.map((name, index) => [name, index % 2 === 0 ? text : number])),
    },
  };
}

const object: KubeObject = {
  apiVersion: 'bench.example.com/v1',
  kind: 'Ship',
  metadata: { name: 'argo' },
  spec: {
    name: 'ship-argo',
    mode: 'Rolling',
    note: 'she sails on Tuesday',
    paused: false,
    minimum: 1,
    replicas: 3,
    maximum: 9,
    ports: [
      { name: 'web', number: 80 },
      { name: 'admin', number: 9090 },
    ],
    labels: { app: 'argo', tier: 'front' },
    weights: [1, 2, 3],
    ...Object.fromEntries(fillers.map((name, index) => [name, index % 2 === 0 ? `value ${index}` : index])),
  },
};

/** Median of rounds, so that a round with a garbage collection does not count. */
function microseconds(validations: readonly string[]): number {
  const root: JsonSchema = { type: 'object', properties: { spec: specSchema(validations) } };
  const metadata = { read: () => ({ metadata: {}, unknownFields: [] }), mergeType: untypedAtomic };
  const schema = compileSchema(root, { metadata });
  const { errors } = schema.validate(object);
  if (errors.length > 0) throw new Error(`the object is refused: ${JSON.stringify(errors[0])}`);
  const rounds = Array.from({ length: 21 }, () => {
    const begin = performance.now();
    for (let turn = 0; turn < 2000; turn++) schema.validate(object);
    return (performance.now() - begin) / 2;
  });
  return median(rounds);
}

const values = microseconds([]);
const all = microseconds(rules);
const common = { figure: 'rules', unit: 'µs' } as const;
const measurements: Measurement[] = [
  { ...common, what: 'ten rules over 50 fields', value: all - values, bar: { atMost: 20 } },
  { ...common, what: 'all other validation of the object', value: values },
];
for (const measurement of measurements) process.send?.(measurement);
