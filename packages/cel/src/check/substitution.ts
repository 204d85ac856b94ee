import { mapParts, partsOf, types, type CelType } from '../type.ts';
import { everyPart, isDynOrError, isSameConstructor, isSameType, mostGeneral } from './type-relations.ts';

/**
 * Bindings of type parameters, inferred by comparisons: comparing `list(A)` with `list(int)` binds A to int. A
 * failed comparison binds nothing.
 */
export class Substitution {
  readonly #bound = new Map<string, CelType>();
  /** Bindings to restore if the current comparison fails. */
  #undo: [name: string, before: CelType | undefined][] = [];
  #variables = 0;

  /** A new, unbound type parameter. */
  freshVariable(): CelType {
    return types.param(`_var${this.#variables++}`);
  }

  isAssignable(to: CelType, from: CelType): boolean {
    return this.#orUndo(() => this.#assignable(to, from));
  }

  areAssignable(to: readonly CelType[], from: readonly CelType[]): boolean {
    return this.#orUndo(() => this.#allAssignable(to, from));
  }

  /** Replaces bound parameters. `free` says what happens to unbound ones. */
  apply(type: CelType, free: 'keep' | 'dyn'): CelType {
    if (type.kind !== 'param') return mapParts(type, (part) => this.apply(part, free));
    const bound = this.#bound.get(type.name);
    if (bound !== undefined) return this.apply(bound, free);
    return free === 'dyn' ? types.dyn : type;
  }

  #orUndo(compare: () => boolean): boolean {
    this.#undo.length = 0;
    const fits = compare();
    if (!fits) {
      for (const [name, before] of this.#undo.reverse()) {
        if (before === undefined) this.#bound.delete(name);
        else this.#bound.set(name, before);
      }
    }
    return fits;
  }

  #bind(name: string, type: CelType): void {
    this.#undo.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  #allAssignable(to: readonly CelType[], from: readonly CelType[]): boolean {
    return to.length === from.length && to.every((type, index) => this.#assignable(type, from[index] as CelType));
  }

  #assignable(a: CelType, b: CelType): boolean {
    if (b.kind === 'param') {
      const { isValid, isBound } = this.#tryBind(a, b);
      if (isValid) return true;
      if (isBound) return false;
    }
    if (a.kind === 'param') return this.#tryBind(b, a).isValid;
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind === 'type') return b.kind === 'type';
    return isSameConstructor(a, b) && everyPart(a, b, (partOfA, partOfB) => this.#assignable(partOfA, partOfB));
  }

  /** Tries to bind the parameter to `type`. `isBound` says whether it had a binding. */
  #tryBind(type: CelType, parameter: Extract<CelType, { kind: 'param' }>): { isValid: boolean; isBound: boolean } {
    if (isSameType(type, parameter)) return { isValid: true, isBound: true };
    const bound = this.#bound.get(parameter.name);
    if (bound === undefined) {
      if (this.#occursIn(parameter, type)) return { isValid: false, isBound: false };
      this.#bind(parameter.name, type);
      return { isValid: true, isBound: false };
    }
    if (isSameType(type, bound)) return { isValid: true, isBound: true };
    if (!this.#assignable(type, bound)) return { isValid: false, isBound: true };
    const general = mostGeneral(type, bound);
    if (!this.#occursIn(parameter, general)) this.#bind(parameter.name, general);
    return { isValid: true, isBound: true };
  }

  #occursIn(parameter: CelType, type: CelType): boolean {
    if (type.kind !== 'param') return partsOf(type).some((part) => this.#occursIn(parameter, part));
    if (isSameType(parameter, type)) return true;
    const bound = this.#bound.get(type.name);
    return bound !== undefined && this.#occursIn(parameter, bound);
  }
}

/** Null is assignable to types that have an absent value. */
function isNullable(type: CelType): boolean {
  return nullableKinds.has(type.kind);
}

const nullableKinds: ReadonlySet<CelType['kind']> = new Set(['null', 'opaque', 'object', 'duration', 'timestamp']);
