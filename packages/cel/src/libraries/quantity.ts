import { parseQuantity, Quantity, QuantityError } from '@flotilla/kube';
import { readsText } from '../cost/text-costs.ts';
import { declare, member, overload, type Library } from '../library.ts';
import { types, type CelType } from '../type.ts';
import { CelError, CelOpaque, type Result } from '../value.ts';

export const quantityType: CelType = types.sealed('kubernetes.Quantity');

class CelQuantity extends CelOpaque {
  override readonly typeName = 'kubernetes.Quantity';
  readonly amount: Quantity;

  constructor(amount: Quantity) {
    super();
    this.amount = amount;
  }

  override equals(other: CelOpaque): boolean {
    return other instanceof CelQuantity && this.amount.equals(other.amount);
  }
}

const { bool, double, int, string } = types;
const two = [quantityType, quantityType];

/** Quantities such as `500m` and `128Mi`. */
export const quantityLibrary: Library = {
  name: 'kubernetes.quantity',
  functions: [
    declare('quantity', overload('string_to_quantity', [string], quantityType, read, readsText())),
    declare(
      'isQuantity',
      overload('is_quantity_string', [string], bool, (text: string) => !(read(text) instanceof CelError), readsText()),
    ),
    declare(
      'sign',
      overload('quantity_sign', [quantityType], int, ({ amount }: CelQuantity) => BigInt(amount.sign)),
    ),
    declare(
      'isGreaterThan',
      member('quantity_is_greater_than', two, bool, (a: CelQuantity, b: CelQuantity) => order(a, b) > 0),
    ),
    declare(
      'isLessThan',
      member('quantity_is_less_than', two, bool, (a: CelQuantity, b: CelQuantity) => order(a, b) < 0),
    ),
    declare(
      'compareTo',
      member('quantity_compare_to', two, int, (a: CelQuantity, b: CelQuantity) => BigInt(order(a, b))),
    ),
    declare(
      'asApproximateFloat',
      member('quantity_get_float', [quantityType], double, ({ amount }: CelQuantity) => amount.toNumber()),
    ),
    declare(
      'asInteger',
      member('quantity_get_int', [quantityType], int, ({ amount }: CelQuantity) => amount.toInt64() ?? noInteger),
    ),
    declare(
      'isInteger',
      member('quantity_is_integer', [quantityType], bool, ({ amount }: CelQuantity) => amount.toInt64() !== undefined),
    ),
    declare(
      'add',
      member(
        'quantity_add',
        two,
        quantityType,
        (a: CelQuantity, b: CelQuantity) => new CelQuantity(a.amount.plus(b.amount)),
      ),
      member(
        'quantity_add_int',
        [quantityType, int],
        quantityType,
        (a: CelQuantity, b: bigint) => new CelQuantity(a.amount.plus(whole(b))),
      ),
    ),
    declare(
      'sub',
      member(
        'quantity_sub',
        two,
        quantityType,
        (a: CelQuantity, b: CelQuantity) => new CelQuantity(a.amount.minus(b.amount)),
      ),
      member(
        'quantity_sub_int',
        [quantityType, int],
        quantityType,
        (a: CelQuantity, b: bigint) => new CelQuantity(a.amount.minus(whole(b))),
      ),
    ),
  ],
};

const noInteger = new CelError('cannot convert value to integer');

function read(text: string): Result {
  try {
    return new CelQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) return new CelError(error.message);
    throw error;
  }
}

function order(a: CelQuantity, b: CelQuantity): number {
  return Math.sign(a.amount.compare(b.amount));
}

function whole(amount: bigint): Quantity {
  return new Quantity(amount, 0, 'DecimalExponent');
}
