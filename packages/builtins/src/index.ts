export type {
  Cell,
  ColumnDefinition,
  Columns,
  KindBehavior,
  SubresourceBehavior,
  WriteContext,
} from './kind.ts';
