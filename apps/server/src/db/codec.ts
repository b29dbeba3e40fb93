import {
  CamelCasePlugin,
  ColumnNode,
  type ColumnUpdateNode,
  type InsertQueryNode,
  OperationNodeTransformer,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PrimitiveValueListNode as PrimitiveList,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
  ValueListNode,
  ValueNode as Value,
  ValuesNode,
} from 'kysely'

const isJsonColumn = (name: string) => name.endsWith('Json')
const isStoredAsJson = (column: string) => column.endsWith('_json')
const isBooleanColumn = (name: string) => /^(is|has)[A-Z]/.test(name)

function encode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (value instanceof Date) throw new TypeError('a Date is not stored; times are epoch milliseconds')
  return JSON.stringify(value)
}

/** In a JSON column a text, a number or a boolean is JSON too; null stays the absence of a value. */
const encodeJson = (value: unknown) =>
  value === null || value === undefined || value instanceof Date ? encode(value) : JSON.stringify(value)

function encodeFor(column: string | undefined, node: OperationNode): OperationNode {
  return column !== undefined && isStoredAsJson(column) && Value.is(node)
    ? ({ ...node, value: encodeJson(node.value) } as ValueNode)
    : node
}

/** Objects and arrays go in as JSON text. Booleans stay: each driver knows its own. */
class Encoder extends OperationNodeTransformer {
  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const columns = node.columns?.map((item) => item.column.name) ?? []
    if (!node.values || !ValuesNode.is(node.values) || !columns.some(isStoredAsJson))
      return super.transformInsertQuery(node, queryId)
    const lists = node.values.values.map((list) =>
      PrimitiveList.is(list)
        ? PrimitiveList.create(
            list.values.map((value, at) => (isStoredAsJson(columns[at] ?? '') ? encodeJson(value) : value)),
          )
        : ValueListNode.create(list.values.map((value, at) => encodeFor(columns[at], value))),
    )
    return super.transformInsertQuery({ ...node, values: ValuesNode.create(lists) }, queryId)
  }
  protected override transformColumnUpdate(node: ColumnUpdateNode, queryId?: QueryId): ColumnUpdateNode {
    const column = ColumnNode.is(node.column) ? node.column.column.name : undefined
    return super.transformColumnUpdate({ ...node, value: encodeFor(column, node.value) }, queryId)
  }
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: encode(node.value) }
  }
  protected override transformPrimitiveValueList(node: PrimitiveList): PrimitiveList {
    return { ...node, values: node.values.map(encode) }
  }
}

/** JSON and booleans come out as what they are, on both engines; a column is known by its name. */
class CodecPlugin implements KyselyPlugin {
  readonly #encoder = new Encoder()
  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return this.#encoder.transformNode(args.node, args.queryId)
  }
  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const first = args.result.rows[0]
    if (!first) return args.result
    const names = Object.keys(first)
    const json = names.filter(isJsonColumn)
    const flags = names.filter(isBooleanColumn)
    if (json.length + flags.length === 0) return args.result
    for (const row of args.result.rows) {
      for (const name of json) if (typeof row[name] === 'string') row[name] = JSON.parse(row[name])
      for (const name of flags) if (typeof row[name] === 'number') row[name] = row[name] === 1
    }
    return args.result
  }
}

export const columnPlugins = (): KyselyPlugin[] => [
  new CamelCasePlugin({ maintainNestedObjectKeys: true }),
  new CodecPlugin(),
]

/** A value as a node of its own, for the school scope which must say values inside lists. */
export function withValue(list: OperationNode, value: unknown): OperationNode {
  if (list.kind === 'PrimitiveValueListNode') {
    const primitive = list as PrimitiveList
    return { ...primitive, values: [...primitive.values, value] } as PrimitiveList
  }
  const nodes = list as ReturnType<typeof ValueListNode.create>
  return ValueListNode.create([...nodes.values, Value.create(value)])
}
