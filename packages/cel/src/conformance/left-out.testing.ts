/** The published cases that are skipped, with reasons. A listed case that passes fails the test. */

export interface LeftOut {
  readonly reason: string;
  /** By file, or file and section. */
  readonly cases: Readonly<Record<string, Which>>;
}

export interface Which {
  readonly includes: (name: string) => boolean;
  /** All listed names must exist. */
  readonly names: readonly string[];
}

const allCases: Which = { includes: () => true, names: [] };

function only(...names: string[]): Which {
  return { includes: (name) => names.includes(name), names };
}

function allBut(...names: string[]): Which {
  return { includes: (name) => !names.includes(name), names };
}

export const leftOut: readonly LeftOut[] = [
  {
    reason: 'needs protobuf messages, enums or wrapper types, which expressions in Kubernetes never meet',
    cases: {
      'comparisons/eq_literal': only('eq_dyn_json_null', 'not_eq_dyn_proto2_msg_null', 'not_eq_dyn_proto3_msg_null'),
      'comparisons/eq_wrapper': allCases,
      'comparisons/ne_literal': only(
        'ne_proto2',
        'ne_proto3',
        'ne_proto2_missing_fields_neq',
        'ne_proto3_missing_fields_neq',
        'ne_proto_nan_not_equal',
        'ne_proto_different_types',
        'ne_proto2_any_unpack',
        'ne_proto2_any_unpack_bytewise_fallback',
        'ne_proto3_any_unpack',
        'ne_proto3_any_unpack_bytewise_fallback',
      ),
      'dynamic/int32': allBut('literal_no_field_access'),
      'dynamic/int64': allBut('literal_no_field_access'),
      'dynamic/uint32': allBut('literal_no_field_access'),
      'dynamic/uint64': allBut('literal_no_field_access'),
      'dynamic/float': allBut('literal_no_field_access'),
      'dynamic/double': allBut('literal_no_field_access'),
      'dynamic/bool': allBut('literal_no_field_access'),
      'dynamic/string': allBut('literal_no_field_access'),
      'dynamic/bytes': allBut('literal_no_field_access'),
      'dynamic/list': allBut('literal_no_field_access'),
      'dynamic/struct': allBut('literal_no_field_access', 'field_assign_proto2_bad', 'field_assign_proto3_bad'),
      'dynamic/value_null': allBut('literal_no_field_access'),
      'dynamic/value_number': allBut('literal_no_field_access'),
      'dynamic/value_string': allBut('literal_no_field_access'),
      'dynamic/value_bool': allBut('literal_no_field_access'),
      'dynamic/value_struct': allBut('literal_no_field_access'),
      'dynamic/value_list': allBut('literal_no_field_access'),
      'dynamic/any': allBut('literal_no_field_access'),
      'dynamic/complex': allCases,
      enums: allCases,
      'optionals/optionals': only(
        'has_optional_ofNonZeroValue_struct_optional_ofNonZeroValue_map_optindex_field',
        'optional_ofNonZeroValue_struct_optional_ofNonZeroValue_map_optindex_field',
        'struct_map_optindex_field',
        'struct_optional_ofNonZeroValue_map_optindex_field',
        'struct_map_optindex_field_nested',
        'struct_list_optindex_field',
        'empty_struct_optindex_hasValue',
        'optional_empty_struct_optindex_hasValue',
        'struct_optindex_value',
        'optional_struct_optindex_value',
        'optional_struct_optindex_index_value',
      ),
      'parse/nest': only('message_literal'),
      'parse/repeat': only('select', 'message_literal'),
      'parse/whitespace': allCases,
      'parse/comments': allCases,
      'parse/struct_field_names': allCases,
      'proto2/literal_singular': allCases,
      'proto2/literal_wellknown': allCases,
      'proto2/singular_bind': allCases,
      'proto2/empty_field': allCases,
      'proto2/has': allBut('undefined'),
      'proto2/set_null': only('single_message', 'single_any', 'single_value', 'single_duration', 'single_timestamp'),
      proto2_ext: allCases,
      'proto3/literal_singular': allCases,
      'proto3/literal_wellknown': allCases,
      'proto3/singular_bind': allCases,
      'proto3/empty_field': allCases,
      'proto3/has': allBut('undefined'),
      'proto3/set_null': only('single_message', 'single_any', 'single_value', 'single_duration', 'single_timestamp'),
      'type_deductions/complex_initializers': only('struct'),
      'type_deductions/field_access': allCases,
      'type_deductions/flexible_type_parameter_assignment': only(
        'comprehension_type_var_aliasing',
        'overload_type_var_aliasing',
        'list_parameters_do_not_unify',
      ),
      'type_deductions/wrappers': allCases,
      'type_deductions/legacy_nullable_types': allBut('null_assignable_to_abstract_parameter_candidate'),
      wrappers: allCases,
    },
  },
  {
    reason: "cel-go's math extension, which Kubernetes does not turn on",
    cases: {
      math_ext: allCases,
    },
  },
  {
    reason: "cel.block is what cel-go's optimizer makes, not what people write",
    cases: {
      block_ext: allCases,
    },
  },
  {
    reason: "cel-go's encoders extension, which Kubernetes does not turn on",
    cases: {
      encoders_ext: allCases,
    },
  },
  {
    reason: 'names in backticks, which Kubernetes does not turn on',
    cases: {
      'fields/quoted_map_fields': allCases,
      'proto2/quoted_fields': allCases,
      'proto2/extensions_has': allCases,
      'proto2/extensions_get': allCases,
      'proto3/quoted_fields': allCases,
    },
  },
  {
    reason: 'names with dots in an expression that was not checked; ours always are',
    cases: {
      'fields/qualified_identifier_resolution': only('qualified_identifier_resolution_unchecked'),
      'namespace/namespace': only('self_eval_container_lookup_unchecked'),
    },
  },
  {
    reason: 'cel-go takes such keys too, and the last of equal keys counts',
    cases: {
      'fields/qualified_identifier_resolution': only(
        'map_key_float',
        'map_key_null',
        'map_value_repeat_key',
        'map_value_repeat_key_heterogeneous',
      ),
    },
  },
  {
    reason: 'a step into a scalar that an optional holds is nothing in Kubernetes, not an error',
    cases: {
      'optionals/optionals': only('map_null_entry_no_such_key', 'map_present_key_invalid_field'),
    },
  },
  {
    reason: 'is about version 4 of the strings extension; Kubernetes has version 2',
    cases: {
      'string_ext/format': only(
        'scientific notation formatting clause',
        'default precision for scientific notation',
        'NaN support for scientific notation',
        'positive infinity support for scientific notation',
        'negative infinity support for scientific notation',
        'NaN support for decimal',
        'positive infinity support for decimal',
        'negative infinity support for decimal',
        'positive infinity support for fixed-point',
        'negative infinity support for fixed-point',
        'list support for string',
        'map support for string',
        'map support (all key types)',
        'dyntype support for scientific notation',
        'dyntype NaN/infinity support',
        'dyntype support for lists',
        'dyntype support for maps',
        'scientific notation formatting clause in a string variable',
      ),
    },
  },
  {
    reason: 'since cel-go 0.26 a start beyond the end finds nothing',
    cases: {
      'string_ext/value_errors': only('indexof_out_of_range', 'lastindexof_out_of_range'),
    },
  },
  {
    reason: 'cel-go finds the type null here too',
    cases: {
      'type_deductions/legacy_nullable_types': only('null_assignable_to_abstract_parameter_candidate'),
    },
  },
  {
    reason: 'cel-go gives the whole duration, not its part below a second',
    cases: {
      'timestamps/duration_converters': only('get_milliseconds'),
    },
  },
];
