import type { JsonSchema } from '../../json-schema.ts';
import { declarationOf, maxChildren, type CelDeclaration } from '../../rules/cel-type.ts';
import { escapeName } from '../../rules/escape-name.ts';
import { cappedProduct, TotalCost } from './rule-cost.ts';

/** The declaration that rules at a schema node see, how often they run, and their total cost. */
export class RuleScope {
  readonly schema: JsonSchema;
  /** How often the node can occur in one object. Undefined if there is no limit. */
  readonly maxTimes: number | undefined;
  readonly mayCostTooMuch: boolean;
  readonly total: TotalCost;
  readonly #parent: RuleScope | undefined;
  /** The step from the parent's declaration. */
  readonly #step: string | undefined;
  #declaration: CelDeclaration | undefined;

  static ofRoot(schema: JsonSchema, mayCostTooMuch: boolean): RuleScope {
    return new RuleScope(schema, { maxTimes: 1, mayCostTooMuch, total: new TotalCost() });
  }

  private constructor(schema: JsonSchema, { maxTimes, mayCostTooMuch, total, parent, step }: ScopeParts) {
    this.schema = schema;
    this.maxTimes = maxTimes;
    this.mayCostTooMuch = mayCostTooMuch;
    this.total = total;
    this.#parent = parent;
    this.#step = step;
  }

  property(name: string, schema: JsonSchema): RuleScope {
    return this.#child(schema, escapeName(name));
  }

  items(schema: JsonSchema): RuleScope {
    return this.#child(schema, elementStep);
  }

  values(schema: JsonSchema): RuleScope {
    return this.#child(schema, elementStep);
  }

  /** Undefined if expressions cannot see the node. */
  get declaration(): CelDeclaration | undefined {
    this.#declaration ??= this.#fromParent() ?? declarationOf(this.schema, this.#isResource());
    return this.#declaration;
  }

  #child(schema: JsonSchema, step: string | undefined): RuleScope {
    const children = maxChildren(this.schema);
    const maxTimes =
      this.maxTimes === undefined || children === undefined ? undefined : cappedProduct(this.maxTimes, children);
    return new RuleScope(schema, {
      maxTimes,
      mayCostTooMuch: this.mayCostTooMuch,
      total: this.total,
      parent: this,
      step,
    });
  }

  /** A declaration includes all nodes below it, so below a rule none is made twice. */
  #fromParent(): CelDeclaration | undefined {
    const parent = this.#parent;
    if (this.#step === undefined || parent === undefined || !parent.#isUnderRule()) return undefined;
    const declaration = parent.declaration;
    return this.#step === elementStep ? declaration?.element : declaration?.fields?.get(this.#step);
  }

  #isUnderRule(): boolean {
    if (this.schema['x-kubernetes-validations'] !== undefined) return true;
    return this.#parent !== undefined && this.#parent.#isUnderRule();
  }

  #isResource(): boolean {
    return this.#parent === undefined || this.schema['x-kubernetes-embedded-resource'] === true;
  }
}

/** No escaped name contains this character. */
const elementStep = '@';

interface ScopeParts {
  readonly maxTimes: number | undefined;
  readonly mayCostTooMuch: boolean;
  readonly total: TotalCost;
  readonly parent?: RuleScope;
  readonly step?: string | undefined;
}
