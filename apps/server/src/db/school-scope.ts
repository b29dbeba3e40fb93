import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type ColumnUpdateNode,
  type DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  type OnConflictNode,
  OnNode,
  OperationNodeTransformer,
  type OperationNode,
  OperatorNode,
  ParensNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  type RawNode,
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
const scopedKinds = new Set(['SelectQueryNode', 'InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])
/** By these words a piece of raw SQL reaches rows of its own, which nothing here could see. */
const reachesRows = /\b(select|table|insert|update|delete|merge)\b/i

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
    if (!scopedKinds.has(args.node.kind)) throw new SchoolScopeError(`a ${args.node.kind} cannot be kept to one school`)
    return new Scoper(this.#schoolId).transformNode(args.node, args.queryId)
  }
  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return args.result
  }
}

class Scoper extends OperationNodeTransformer {
  readonly #schoolId: string
  /** The common table expressions that can be seen where the transformer stands. */
  #withNames: ReadonlySet<string> = new Set()
  constructor(schoolId: string) {
    super()
    this.#schoolId = schoolId
  }

  /** An expression sees those before it, and itself when it is recursive; every other name is a stored table. */
  protected override transformWith(node: WithNode, queryId?: QueryId): WithNode {
    const visible = new Set(this.#outerNames(node))
    const expressions = node.expressions.map((expression) => {
      const name = expression.name.table.table.identifier.name
      if (node.recursive) visible.add(name)
      const scoped = this.#seeing(visible, () => this.transformNode(expression, queryId))
      visible.add(name)
      return scoped
    })
    return { ...node, expressions }
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    return this.#inside(node.with, () =>
      this.#withCondition(super.transformSelectQuery(node, queryId), this.#tables(node.from?.froms)),
    )
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    return this.#inside(node.with, () => {
      const scoped = super.transformUpdateQuery(node, queryId)
      return this.#withCondition(scoped, [
        ...(node.table ? [targetName(node.table)] : []),
        ...this.#tables(node.from?.froms),
      ])
    })
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    if (node.using) throw new SchoolScopeError('delete using is not kept to one school; use a subquery')
    return this.#inside(node.with, () =>
      this.#withCondition(super.transformDeleteQuery(node, queryId), node.from.froms.map(targetName)),
    )
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    if (!node.values || !ValuesNode.is(node.values)) throw new SchoolScopeError('an insert in a school says its values')
    if (node.replace || node.orAction?.action.toLowerCase() === 'replace')
      throw new SchoolScopeError('a replace could delete the row of another school')
    if (node.columns?.some((item) => isSchoolColumn(item)))
      throw new SchoolScopeError('the scope says the school, not the insert')
    return this.#inside(node.with, () => {
      const scoped = super.transformInsertQuery(node, queryId)
      const lists = (scoped.values as ValuesNode).values
      const values = ValuesNode.create(lists.map((list) => withValue(list, this.#schoolId)) as never)
      const onConflict =
        scoped.onConflict && node.into ? this.#withinConflict(scoped.onConflict, targetName(node.into)) : undefined
      return {
        ...scoped,
        columns: [...(scoped.columns ?? []), ColumnNode.create(column)],
        values,
        ...(onConflict ? { onConflict } : {}),
      }
    })
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, queryId?: QueryId): ColumnUpdateNode {
    if (isSchoolColumn(node.column)) throw new SchoolScopeError('a row never moves to another school')
    return super.transformColumnUpdate(node, queryId)
  }

  protected override transformJoin(node: JoinNode, queryId?: QueryId): JoinNode {
    const scoped = super.transformJoin(node, queryId)
    if (!['InnerJoin', 'LeftJoin'].includes(node.joinType))
      throw new SchoolScopeError(`${node.joinType} is not kept to one school`)
    const name = this.#nameOf(node.table)
    if (!name) return scoped
    const condition = this.#condition(name)
    return { ...scoped, on: OnNode.create(scoped.on ? both(scoped.on.on, condition) : condition) }
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    if (reachesRows.test(node.sqlFragments.join(' ')))
      throw new SchoolScopeError('a raw query cannot be kept to one school')
    return super.transformRaw(node, queryId)
  }

  /** The name may be unique over all schools, and the row in the way another school's: that one stays as it is. */
  #withinConflict(node: OnConflictNode, table: string): OnConflictNode {
    if (!node.updates) return node
    const condition = this.#condition(table)
    return {
      ...node,
      updateWhere: WhereNode.create(node.updateWhere ? both(node.updateWhere.where, condition) : condition),
    }
  }

  #outerNames(node: WithNode): string[] {
    const own = new Set(namesOf(node))
    return [...this.#withNames].filter((name) => !own.has(name))
  }

  #inside<T>(node: WithNode | undefined, build: () => T): T {
    return this.#seeing(new Set([...this.#withNames, ...namesOf(node)]), build)
  }

  #seeing<T>(names: ReadonlySet<string>, build: () => T): T {
    const outer = this.#withNames
    this.#withNames = names
    try {
      return build()
    } finally {
      this.#withNames = outer
    }
  }

  #tables(nodes: readonly OperationNode[] = []): string[] {
    return nodes.map((node) => this.#nameOf(node)).filter((name) => name !== null)
  }

  #withCondition<T extends { readonly where?: WhereNode }>(node: T, names: readonly string[]): T {
    let where = node.where
    for (const name of names) {
      const condition = this.#condition(name)
      where = WhereNode.create(where ? both(where.where, condition) : condition)
    }
    return where ? { ...node, where } : node
  }

  /** The name by which a stored table stands in the query; null for a subquery, which is scoped itself. */
  #nameOf(node: OperationNode): string | null {
    const inner = AliasNode.is(node) ? node.node : node
    if (TableNode.is(inner)) {
      const isExpression = !inner.table.schema && this.#withNames.has(inner.table.identifier.name)
      return isExpression ? null : targetName(node)
    }
    if (AliasNode.is(node) && (inner.kind === 'SelectQueryNode' || inner.kind === 'ValuesNode')) return null
    throw new SchoolScopeError(`${inner.kind} is not kept to one school`)
  }

  #condition(table: string): OperationNode {
    return BinaryOperationNode.create(
      ReferenceNode.create(ColumnNode.create(column), TableNode.create(table)),
      OperatorNode.create('='),
      ValueNode.create(this.#schoolId),
    )
  }
}

const namesOf = (node: WithNode | undefined) =>
  (node?.expressions ?? []).map((expression) => expression.name.table.table.identifier.name)

/** What is written to is always a stored table, also when a common table expression has the same name. */
function targetName(node: OperationNode): string {
  if (TableNode.is(node)) return node.table.identifier.name
  if (AliasNode.is(node) && TableNode.is(node.node) && IdentifierNode.is(node.alias)) return node.alias.name
  throw new SchoolScopeError(`${node.kind} is not kept to one school`)
}

/** In brackets: a condition written as raw SQL may have an `or` at its top. */
const both = (condition: OperationNode, school: OperationNode) => AndNode.create(ParensNode.create(condition), school)

function isSchoolColumn(node: OperationNode): boolean {
  if (ReferenceNode.is(node)) return isSchoolColumn(node.column)
  if (ColumnNode.is(node)) return node.column.name.toLowerCase() === column
  throw new SchoolScopeError(`a ${node.kind} is not a column`)
}
