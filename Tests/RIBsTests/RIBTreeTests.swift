import Testing

@testable import RIBs

@Suite struct RIBTreeTests {
  private final class HouseRouter: Router<Interactor> {}
  private final class RoomRouter: Router<Interactor>, RIBDetail {
    var detail = ""
  }

  @Test func `each RIB is a line below its parent`() {
    let house = HouseRouter(interactor: Interactor())
    let rooms = ["kitchen", "hall"].map { name in
      let room = RoomRouter(interactor: Interactor())
      room.detail = name
      house.attachChild(room)
      return room
    }
    rooms[0].attachChild(HouseRouter(interactor: Interactor()))
    let all = ["House", "  Room: kitchen", "    House", "  Room: hall"]
    #expect(RIBTree(house, maxLines: 4).lines == all)
    #expect(RIBTree(house, maxLines: 4).more == 0)
    #expect(RIBTree(house, maxLines: 2).lines == Array(all.prefix(2)))
    #expect(RIBTree(house, maxLines: 2).more == 2)
    house.detachChild(rooms[0])
    #expect(RIBTree(house, maxLines: 4).lines == ["House", "  Room: hall"])
  }
}
