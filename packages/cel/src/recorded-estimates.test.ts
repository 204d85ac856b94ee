/**
 * Estimated costs of kube-apiserver v1.36.4. For each rule: the smallest size limit with which it was refused, and its cost then.
 * That cost exceeded 10,000,000. With a limit one less the rule was accepted, at the recorded cost.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { SizeOf } from './cost/cost.ts';
import { estimateCost } from './cost/estimate.ts';
import { compile, createEnvironment, extend } from './environment.ts';
import { kubernetesLibraries } from './libraries/kubernetes.ts';
import { types, type CelType } from './type.ts';

interface Recorded {
  readonly rule: string;
  readonly limit: number;
  readonly cost: number;
  readonly under: number;
}

const estimates = JSON.parse(readFileSync(new URL('recorded/estimates.json', import.meta.url), 'utf8')) as Recorded[];

/** A node of the schema that the rules belong to. */
interface Node {
  readonly type: CelType;
  readonly size: number;
  readonly parts: Readonly<Record<string, Node>>;
}

const bytesOfCodePoint = 4;
const int: Node = { type: types.int, size: 0, parts: {} };

function text(maxLength: number): Node {
  return { type: types.string, size: maxLength * bytesOfCodePoint, parts: {} };
}

function list(maxItems: number, items: Node): Node {
  return { type: types.list(items.type), size: maxItems, parts: { '@items': items } };
}

function map(maxProperties: number, values: Node): Node {
  const keys: Node = { ...text(0), size: 0 };
  return {
    type: types.map(types.string, values.type),
    size: maxProperties,
    parts: { '@keys': keys, '@values': values },
  };
}

function object(name: string, parts: Readonly<Record<string, Node>>): Node {
  return { type: types.object(name, (field) => parts[field]?.type), size: 0, parts };
}

function schema(limit: number): Node {
  return object('self', {
    s: text(limit),
    s2: text(20),
    i: int,
    b: { ...int, type: types.bool },
    l: list(limit, text(10)),
    l2: list(7, text(5)),
    li: list(limit, int),
    lo: list(limit, object('self.lo', { name: text(10), v: int, tags: list(9, text(3)), other: list(31, text(13)) })),
    m: map(limit, text(10)),
    ml: map(limit, list(3, text(4))),
    d: { ...int, type: types.duration, size: 32 },
    t: { ...int, type: types.timestamp, size: 32 },
    by: { ...int, type: types.bytes, size: limit },
    ios: { ...int, type: types.dyn, size: 3 * 1024 * 1024 - 2 },
  });
}

function sizesIn(root: Node): SizeOf {
  return (path) => {
    if (path.length === 0) return undefined;
    let node: Node | undefined = root;
    for (const step of path.slice(1)) node = node?.parts[step];
    return node && { min: 0, max: node.size };
  };
}

const base = createEnvironment({ libraries: kubernetesLibraries });

function largestCost(rule: string, limit: number): number {
  const root = schema(limit);
  const environment = extend(base, new Map([['self', root.type]]));
  const compiled = compile(environment, rule);
  assert.ok('ast' in compiled, 'text' in compiled ? compiled.text : '');
  return estimateCost(environment, compiled.ast, sizesIn(root)).max;
}

describe('rules have the estimated costs of kube-apiserver', () => {
  for (const { rule, limit, cost, under } of estimates) {
    test(rule, () => {
      assert.equal(largestCost(rule, limit), cost);
      if (limit > 1) assert.equal(largestCost(rule, limit - 1), under);
    });
  }
});
