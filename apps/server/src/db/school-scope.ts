import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  OnNode,
  OperationNodeTransformer,
  type OperationNode,
  OperatorNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  ReferenceNode,
  type RootOperationNode,
  type SelectQueryNode,
  TableNode,
  type UnknownRow,
  type UpdateQueryNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely'
import { withValue } from './codec.ts'

const column = 'school_id'

/** A query that the scope cannot make safe: a mistake of the programmer, never of a user. */
export class SchoolScopeError extends Error {}

/**
 * Adds the school to every table of every query, in all depths: a condition where rows are read, changed or deleted,
 * a value where they are inserted. It runs after the plugin that turns names to snake_case.
 */
export class SchoolScope implements KyselyPlugin {
  readonly #schoolId: string
  constructor(schoolId: string) {
    this.#schoolId = schoolId
  }
  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    if (args.node.kind === 'RawNode') throw new SchoolScopeError('a raw query cannot be kept to one school')
    return new Scoper(this.#schoolId).transformNode(args.node, args.queryId)
  }
  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return args.result
  }
}

class Scoper extends OperationNodeTransformer {
  readonly #schoolId: string
  readonly #withNames = new Set<string>()
  constructor(schoolId: string) {
    super()
    this.#schoolId = schoolId
  }

  protected override transformWith(node: WithNode, queryId?: QueryId): WithNode {
    for (const expression of node.expressions) this.#withNames.add(expression.name.table.table.identifier.name)
    return super.transformWith(node, queryId)
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    this.#rememberWith(node.with)
    const scoped = super.transformSelectQuery(node, queryId)
    return this.#withCondition(scoped, node.from?.froms ?? [])
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    this.#rememberWith(node.with)
    if (node.updates?.some((update) => ColumnNode.is(update.column) && update.column.column.name === column)) {
      throw new SchoolScopeError('a row never moves to another school')
    }
    const scoped = super.transformUpdateQuery(node, queryId)
    return this.#withCondition(scoped, [...(node.table ? [node.table] : []), ...(node.from?.froms ?? [])])
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    this.#rememberWith(node.with)
    if (node.using) throw new SchoolScopeError('delete using is not kept to one school; use a subquery')
    const scoped = super.transformDeleteQuery(node, queryId)
    return this.#withCondition(scoped, node.from.froms)
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const scoped = super.transformInsertQuery(node, queryId)
    if (!scoped.values || !ValuesNode.is(scoped.values)) throw new SchoolScopeError('an insert in a school says its values')
    if (scoped.columns?.some((item) => item.column.name === column)) throw new SchoolScopeError('the scope says the school, not the insert')
    const values = ValuesNode.create(scoped.values.values.map((list) => withValue(list, this.#schoolId)) as never)
    return { ...scoped, columns: [...(scoped.columns ?? []), ColumnNode.create(column)], values }
  }

  protected override transformJoin(node: JoinNode, queryId?: QueryId): JoinNode {
    const scoped = super.transformJoin(node, queryId)
    const name = this.#nameOf(node.table)
    if (!name) return scoped
    if (!['InnerJoin', 'LeftJoin'].includes(node.joinType)) throw new SchoolScopeError(`${node.joinType} is not kept to one school`)
    const condition = this.#condition(name)
    return { ...scoped, on: OnNode.create(scoped.on ? AndNode.create(scoped.on.on, condition) : condition) }
  }

  /** Names of common table expressions must be known before the tables around them are read. */
  #rememberWith(node: WithNode | undefined): void {
    for (const expression of node?.expressions ?? []) this.#withNames.add(expression.name.table.table.identifier.name)
  }

  #withCondition<T extends { readonly where?: WhereNode }>(node: T, tables: readonly OperationNode[]): T {
    const names = tables.map((table) => this.#nameOf(table)).filter((name) => name !== null)
    return names.reduce<T>((scoped, name) => {
      const condition = this.#condition(name)
      const where = scoped.where ? WhereNode.create(AndNode.create(scoped.where.where, condition)) : WhereNode.create(condition)
      return { ...scoped, where }
    }, node)
  }

  /** The name by which a stored table stands in the query; null for a subquery, which is scoped itself. */
  #nameOf(node: OperationNode): string | null {
    if (TableNode.is(node)) {
      const name = node.table.identifier.name
      return this.#withNames.has(name) ? null : name
    }
    if (AliasNode.is(node) && TableNode.is(node.node)) {
      return this.#nameOf(node.node) && IdentifierNode.is(node.alias) ? node.alias.name : null
    }
    if (AliasNode.is(node) && node.node.kind === 'SelectQueryNode') return null
    if (AliasNode.is(node) && node.node.kind === 'ValuesNode') return null
    throw new SchoolScopeError(`${node.kind} is not kept to one school`)
  }

  #condition(table: string): OperationNode {
    return BinaryOperationNode.create(
      ReferenceNode.create(ColumnNode.create(column), TableNode.create(table)),
      OperatorNode.create('='),
      ValueNode.create(this.#schoolId),
    )
  }
}
