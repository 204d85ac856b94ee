import type { StructLiteral } from '../ast.ts';
import { CelError, CelOptional, type CelValue } from '../value.ts';
import { ProgramError, type Compiled, type Compiler, type Scope } from './compiled.ts';
import { notOptional } from './literals.ts';

const structCost = 40;

/** `Name{field: value}`. */
export function compileStruct(compiler: Compiler, expr: StructLiteral, scope: Scope): Compiled {
  const type = compiler.typeOf(expr);
  const create = type?.kind === 'object' ? type.create : undefined;
  if (create === undefined) throw new ProgramError(new CelError(`unknown type: ${expr.typeName}`));
  const steps = expr.fields.map(({ name, value, optional }) => ({
    name,
    isOptional: optional,
    value: compiler.compile(value, scope).evaluate,
  }));
  return {
    evaluate: (frame) => {
      frame.charge(structCost);
      const fields = new Map<string, CelValue>();
      for (const { name, value, isOptional } of steps) {
        const content = value(frame);
        if (content instanceof CelError) return content;
        if (!isOptional) fields.set(name, content);
        else if (!(content instanceof CelOptional)) return notOptional(`entry '${name}'`, content);
        else if (content.value === undefined) fields.delete(name);
        else fields.set(name, content.value);
      }
      return create(fields);
    },
  };
}
