export type { CheckedAst, Expr, ParsedAst } from './ast.ts';
export { typeName } from './check/type-name.ts';
export { MAX_COST, type CostRange, type EstimatedArgument, type SizeOf } from './cost.ts';
export {
  compile,
  createEnvironment,
  extend,
  type Compiled,
  type CompileFailure,
  type Environment,
  type EnvironmentOptions,
  type EnvironmentParts,
} from './environment.ts';
export type { FunctionDeclaration, Library, Macro, Overload } from './library.ts';
export { types, type CelType, type ObjectType, type OpaqueType } from './type.ts';
export {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelStruct,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  type Result,
} from './value.ts';
