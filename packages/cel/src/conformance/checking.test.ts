/** cel-go's checker table, as published with the conformance data. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehensions } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import type { CheckedAst, Expr, MapEntry, StructField } from '../ast.ts';
import { typeName } from '../check/type-relations.ts';
import { compile, createEnvironment } from '../environment.ts';
import { bindingsLibrary } from '../libraries/kubernetes.ts';
import { optionalLibrary } from '../libraries/optionals.ts';
import { stringsLibrary } from '../libraries/text/strings.ts';
import { declare, type Library } from '../library.ts';
import { standardLibrary } from '../standard/standard-library.ts';
import { types, type CelType } from '../type.ts';
import { debugString } from './debug-string.testing.ts';

interface Case {
  readonly original: {
    readonly expr: string;
    readonly container?: string;
    readonly typeEnv?: readonly Declaration[];
    readonly disableCheck?: boolean;
  };
  readonly checkedAst?: string;
  readonly error?: string;
  readonly type?: string;
}

/** In protobuf's JSON form. */
interface Declaration {
  readonly name?: string;
  readonly ident?: { readonly type: DeclaredType };
  readonly function?: {
    readonly overloads: readonly {
      readonly overloadId: string;
      readonly isInstanceFunction?: boolean;
      readonly params?: readonly DeclaredType[];
      readonly resultType: DeclaredType;
    }[];
  };
}

interface DeclaredType {
  readonly primitive?: string;
  readonly wellKnown?: string;
  readonly dyn?: unknown;
  readonly typeParam?: string;
  readonly listType?: { readonly elemType: DeclaredType };
  readonly mapType?: { readonly keyType: DeclaredType; readonly valueType: DeclaredType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly DeclaredType[] };
}

const cases = [checking, parsing, comprehensions].flatMap(({ tests = [] }) => tests) as readonly Case[];

function leftOut({ original, error, checkedAst = '' }: Case): string | undefined {
  const text = JSON.stringify(original);
  if (
    /messageType|wrapper|WrapperType|google\.(protobuf|expr|type)|"ANY"|NestedEnum|TestAllTypes/i.test(
      text + checkedAst,
    )
  ) {
    return 'needs protobuf messages';
  }
  if (/applied to '\((int|uint|double), (int|uint|double)\)/.test(error ?? '') && /[<>]/.test(original.expr)) {
    return 'numbers of different types can always be compared here';
  }
  if (original.expr.includes('.reverse()')) return 'needs a function that Kubernetes does not have';
  if (original.expr.includes('existsOne(')) return 'the macro was not yet there';
  if (error?.startsWith('ERROR: :')) return 'does not parse: see the parser table';
  if (error?.includes('limit exceeded') || error?.includes('recursion')) return 'was run with limits smaller than ours';
  return undefined;
}

describe('the checker agrees with the published table', () => {
  for (const [index, item] of cases.entries()) {
    const reason = leftOut(item);
    test(`${index}: ${item.original.expr.slice(0, 60)}`, { skip: reason ?? false }, () => {
      const { expr, container = '', typeEnv = [] } = item.original;
      const environment = createEnvironment({
        libraries: [...libraries, declaredFunctions(typeEnv)],
        variables: new Map([...usualVariables, ...declaredVariables(typeEnv)]),
        options: { validatesLiterals: false, container },
      });
      const compiled = compile(environment, expr);
      if (item.error !== undefined) {
        assert.equal('text' in compiled && compiled.text, item.error);
        return;
      }
      assert.ok('ast' in compiled, 'text' in compiled ? compiled.text : '');
      assert.equal(typeName(compiled.ast.resultType), item.type);
      assert.equal(
        debugString(compiled.ast.expr, typesAndReferences(compiled.ast)),
        sortOverloads(item.checkedAst ?? ''),
      );
    });
  }
});

/** Declarations that the table assumes. */
const usualVariables: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['is', types.string],
  ['ii', types.int],
  ['iu', types.uint],
  ['iz', types.bool],
  ['ib', types.bytes],
  ['id', types.double],
  ['ix', types.null],
]);
const usualFunctions: Library = {
  name: 'usual',
  functions: [
    declare('fg_s', { id: 'fg_s_0', isMember: false, parameters: [], result: types.string }),
    declare('fi_s_s', { id: 'fi_s_s_0', isMember: true, parameters: [types.string], result: types.string }),
  ],
};

const libraries = [standardLibrary, optionalLibrary, stringsLibrary, bindingsLibrary, usualFunctions];

function declaredVariables(declarations: readonly Declaration[]): [name: string, type: CelType][] {
  return declarations.flatMap(({ name = '', ident }) => (ident === undefined ? [] : [[name, typeFrom(ident.type)]]));
}

function declaredFunctions(declarations: readonly Declaration[]): Library {
  return {
    name: 'declared',
    functions: declarations.flatMap(({ name = '', function: declared }) => {
      if (declared === undefined) return [];
      return declare(
        name,
        ...declared.overloads.map(({ overloadId, params = [], resultType, isInstanceFunction }) => ({
          id: overloadId,
          isMember: isInstanceFunction ?? false,
          parameters: params.map(typeFrom),
          result: typeFrom(resultType),
        })),
      );
    }),
  };
}

const primitiveTypes: Readonly<Record<string, CelType>> = {
  INT64: types.int,
  UINT64: types.uint,
  DOUBLE: types.double,
  BOOL: types.bool,
  STRING: types.string,
  BYTES: types.bytes,
  TIMESTAMP: types.timestamp,
  DURATION: types.duration,
};

function typeFrom(type: DeclaredType): CelType {
  const { listType, mapType, abstractType, typeParam } = type;
  if (listType !== undefined) return types.list(typeFrom(listType.elemType));
  if (mapType !== undefined) return types.map(typeFrom(mapType.keyType), typeFrom(mapType.valueType));
  if (typeParam !== undefined) return types.param(typeParam);
  if (abstractType !== undefined) {
    return types.opaque(abstractType.name, ...(abstractType.parameterTypes ?? []).map(typeFrom));
  }
  return primitiveTypes[type.primitive ?? type.wellKnown ?? ''] ?? types.dyn;
}

/** The order of overloads does not matter. */
function sortOverloads(text: string): string {
  return text.replaceAll(/\^([\w@]+(\|[\w@]+)+)/g, (_all, ids: string) => `^${ids.split('|').sort().join('|')}`);
}

function typesAndReferences(ast: CheckedAst): (node: Expr | MapEntry | StructField) => string {
  return (node) => {
    const type = ast.types.get(node.id);
    const reference = ast.references.get(node.id);
    const name =
      reference === undefined ? '' : `^${reference.name ?? [...(reference.overloads ?? [])].sort().join('|') ?? ''}`;
    return type === undefined ? '' : `~${typeName(type)}${name}`;
  };
}
