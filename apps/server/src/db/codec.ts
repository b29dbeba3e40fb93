import {
  CamelCasePlugin,
  OperationNodeTransformer,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
  ValueListNode,
  ValueNode as Value,
} from 'kysely'

const isJsonColumn = (name: string) => name.endsWith('Json')
const isBooleanColumn = (name: string) => /^(is|has)[A-Z]/.test(name)

function encode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return JSON.stringify(value)
}

/** Objects and arrays go in as JSON text. Booleans stay: each driver knows its own. */
class Encoder extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: encode(node.value) }
  }
  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(encode) }
  }
}

/** JSON and booleans come out as what they are, on both engines; a column is known by its name. */
export class CodecPlugin implements KyselyPlugin {
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

export const columnPlugins = (): KyselyPlugin[] => [new CamelCasePlugin({ maintainNestedObjectKeys: true }), new CodecPlugin()]

/** A value as a node of its own, for the school scope which must say values inside lists. */
export function withValue(list: OperationNode, value: unknown): OperationNode {
  if (list.kind === 'PrimitiveValueListNode') {
    const primitive = list as PrimitiveValueListNode
    return { ...primitive, values: [...primitive.values, value] } as PrimitiveValueListNode
  }
  const nodes = list as ReturnType<typeof ValueListNode.create>
  return ValueListNode.create([...nodes.values, Value.create(value)])
}
