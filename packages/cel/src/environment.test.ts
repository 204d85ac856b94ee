import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeName } from './check/type-relations.ts';
import { estimateCost } from './cost/estimate.ts';
import { compile, createEnvironment, extend, type Environment } from './environment.ts';
import { bindingsLibrary, kubernetesLibraries } from './libraries/kubernetes.ts';
import { types, type CelType } from './type.ts';

const kubernetes = createEnvironment({ libraries: kubernetesLibraries });

function typeOf(environment: Environment, text: string): string {
  const compiled = compile(environment, text);
  return 'text' in compiled ? compiled.text : typeName(compiled.ast.resultType);
}

test('extending an environment does not change the original', () => {
  const withA = extend(kubernetes, new Map([['a', types.int]]));
  const withBoth = extend(withA, new Map([['b', types.string]]));
  assert.equal(typeOf(withBoth, 'b + string(a)'), 'string');
  assert.equal(typeOf(withA, 'b'), "ERROR: <input>:1:1: undeclared reference to 'b' (in container '')\n | b\n | ^");
});

test('names of properties of Object have no meaning', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assert.match(typeOf(kubernetes, name), /undeclared reference/);
    assert.match(typeOf(kubernetes, `${name}()`), /undeclared reference/);
    assert.match(typeOf(kubernetes, `1.${name}()`), /undeclared reference/);
    assert.match(typeOf(kubernetes, `${name}{}`), /undeclared reference/);
  }
});

test('a name may omit the container', () => {
  const inside = createEnvironment({
    libraries: kubernetesLibraries,
    variables: new Map<string, CelType>([
      ['a.b.x', types.int],
      ['x', types.string],
    ]),
    options: { container: 'a.b' },
  });
  assert.equal(typeOf(inside, 'x'), 'int');
  assert.equal(typeOf(inside, '.x'), 'string');
});

test('optional syntax can be disabled, and cel.bind added', () => {
  const plain = createEnvironment({ libraries: kubernetesLibraries, options: { optionalSyntax: false } });
  assert.match(typeOf(plain, '[1][?0]'), /unsupported syntax '\[\?'/);
  assert.match(typeOf(kubernetes, 'cel.bind(x, 1, x + 1)'), /undeclared reference to 'cel'/);
  const binding = createEnvironment({ libraries: [...kubernetesLibraries, bindingsLibrary] });
  assert.equal(typeOf(binding, 'cel.bind(x, 1, x + 1)'), 'int');
});

test('expressions that are too long or too deep are refused as a whole', () => {
  const refusals: Record<string, string> = {
    [`'${'a'.repeat(100_000)}'`]: 'expression code point size exceeds limit: size: 100002, limit 100000',
    [`${'('.repeat(250)}1${')'.repeat(250)}`]: 'expression recursion limit exceeded: 250',
    [`1${'+1'.repeat(251)}`]: 'max recursion depth exceeded',
    [`a${'.b'.repeat(251)}`]: 'max recursion depth exceeded',
  };
  for (const [text, message] of Object.entries(refusals)) {
    assert.equal(typeOf(kubernetes, text).split('\n')[0], `ERROR: <input>:-1:0: ${message}`);
  }
  assert.equal(typeOf(kubernetes, `${'('.repeat(249)}1${')'.repeat(249)}`), 'int');
  assert.equal(typeOf(kubernetes, `1${'+1'.repeat(250)}`), 'int');
});

test('checks a node once that macros use twice, at any depth', () => {
  const environment = extend(kubernetes, new Map([['o', types.optional(types.int)]]));
  const compiled = compile(environment, `o${'.optMap(x, x)'.repeat(200)}`);
  assert.ok('ast' in compiled);
  assert.ok(estimateCost(environment, compiled.ast, () => undefined).min > 0);
  assert.match(typeOf(environment, `z${'.optMap(x, x)'.repeat(200)}`), /undeclared reference to 'z'/);
});

test('prints at most 100 issues and counts the rest', () => {
  const shown = typeOf(kubernetes, Array.from({ length: 150 }, () => 'z').join(' && ')).split('\n');
  assert.equal(shown.at(-1), '50 more errors were truncated');
  assert.equal(shown.filter((line) => line.startsWith('ERROR')).length, 100);
});
